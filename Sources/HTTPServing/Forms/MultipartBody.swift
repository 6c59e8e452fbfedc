/// The fields of a form that carries files: `multipart/form-data`, RFC 7578.
package struct MultipartBody {
    /// The most bytes of one part's header.
    private static let greatestHeader = 2048
    private static let line = Array("\r\n".utf8)

    package private(set) var fields: [(name: String, value: String)] = []
    /// The parts that are files, of any content; a file of UTF-8 text is also in `fields`.
    package private(set) var files: [(name: String, fileName: String, bytes: [UInt8])] = []

    /// - Parameters:
    ///   - bytes: the whole body.
    ///   - boundary: the value that the `Content-Type` gives.
    ///   - limit: the most parts.
    /// - Throws: ``MalformedForm`` if the body is malformed, has too many parts, or has a field that is
    ///   not UTF-8.
    package init(
        _ bytes: [UInt8],
        boundary: String,
        atMost limit: Int,
    ) throws(MalformedForm) {
        let delimiter = Array("--\(boundary)".utf8)
        var rest = bytes[...]
        guard rest.starts(with: delimiter) else { throw Self.broken }
        rest = rest.dropFirst(delimiter.count)
        var count = 0
        while !rest.starts(with: Array("--".utf8)) {
            guard rest.starts(with: Self.line), count < limit else { throw Self.broken }
            count += 1
            rest = rest.dropFirst(2)
            let (name, fileName) = try Self.name(takenFrom: &rest)
            guard let end = Self.first(Self.line + delimiter, in: rest) else { throw Self.unusable }
            let value = String(validating: rest[..<end], as: UTF8.self)
            if let fileName { files.append((name, fileName, Array(rest[..<end]))) }
            guard fileName != nil || value != nil else { throw Self.unusable }
            if let value { fields.append((name, value)) }
            rest = rest[(end + 2 + delimiter.count)...]
        }
    }

    /// Returns the boundary in a `Content-Type`; nil for another media type, and for an invalid boundary.
    package static func boundary(in type: String) -> String? {
        let parts = Array(type.utf8).split(separator: UInt8(ascii: ";"))
        guard let kind = parts.first, starts(kind, with: "multipart/form-data") else { return nil }
        for part in parts.dropFirst() {
            let text = part.drop { $0 == UInt8(ascii: " ") }
            guard starts(text, with: "boundary=") else { continue }
            let boundary = text.dropFirst("boundary=".utf8.count).filter { $0 != quote }
            guard (1...70).contains(boundary.count) else { return nil }
            return String(validating: boundary, as: UTF8.self)
        }
        return nil
    }

    /// Consumes a part's header and the empty line after it.
    ///
    /// - Returns: the field's name, and the file's name: nil if the part is not a file, and empty if the
    ///   name is missing or not UTF-8.
    private static func name(
        takenFrom rest: inout ArraySlice<UInt8>
    ) throws(MalformedForm) -> (name: String, fileName: String?) {
        guard let end = first(line + line, in: rest.prefix(greatestHeader)) else { throw broken }
        var header = rest[..<end]
        rest = rest[(end + 4)...]
        while !header.isEmpty {
            let field = header[..<(first(line, in: header) ?? header.endIndex)]
            header = header[field.endIndex...].dropFirst(line.count)
            // A file's name may contain anything, so the field's name, which precedes it, is found first.
            let mark = Array("; name=\"".utf8)
            guard starts(field, with: "content-disposition:"), let start = first(mark, in: field)
            else { continue }
            let name = field[(start + mark.count)...].prefix { $0 != quote }
            guard let text = String(validating: name, as: UTF8.self) else { throw broken }
            guard first(Array("; filename".utf8), in: field) != nil else { return (text, nil) }
            let next = Array("; filename=\"".utf8)
            let rest = field[name.endIndex...]
            guard let start = first(next, in: rest) else { return (text, "") }
            let own = rest[(start + next.count)...].prefix { $0 != quote }
            return (text, String(validating: own, as: UTF8.self) ?? "")
        }
        throw broken
    }

    private static let quote = UInt8(ascii: "\"")

    /// Returns whether bytes begin with `text`, which is lower-case ASCII, ignoring case.
    private static func starts(_ bytes: ArraySlice<UInt8>, with text: String) -> Bool {
        bytes.count >= text.utf8.count
            && zip(bytes, text.utf8).allSatisfy { byte, wanted in
                byte == wanted || (0x41...0x5A).contains(byte) && byte | 0x20 == wanted
            }
    }

    private static func first(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: wanted[0]) {
            if bytes[found...].starts(with: wanted) { return found }
            start = found + 1
        }
        return nil
    }

    private static let unusable = MalformedForm(
        what: "a field of the form is cut short, or is not UTF-8 text"
    )
    private static let broken = MalformedForm(what: "the form cannot be read")
}

/// The reason why the server rejects a form.
package struct MalformedForm: Error, Equatable {
    package let what: String
}
