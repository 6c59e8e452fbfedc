import Bytes

/// The fields of a form, parsed byte by byte, because a separator may be part of a Swift `Character`.
package struct FormFields: Sendable {
    /// The most fields of one form.
    package static let greatestCount = 64

    private let fields: [String: String]
    private let files: [String: [[UInt8]]]
    private let fileNames: [String: [String]]

    /// Parses `application/x-www-form-urlencoded`.
    ///
    /// - Throws: ``MalformedForm`` for more than 64 fields, a field that occurs twice, and a field that
    ///   is not percent-encoded UTF-8.
    package init(urlEncoded bytes: [UInt8]) throws(MalformedForm) {
        let pairs = bytes.split(separator: UInt8(ascii: "&"))
        guard pairs.count <= Self.greatestCount else {
            throw MalformedForm(what: "too many fields")
        }
        var fields: [String: String] = [:]
        for pair in pairs {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            try Self.add(
                try Self.decoded(name),
                try Self.decoded(pair[name.endIndex...].dropFirst()),
                to: &fields,
            )
        }
        self.fields = fields
        files = [:]
        fileNames = [:]
    }

    /// Parses `multipart/form-data`.
    ///
    /// - Throws: ``MalformedForm`` for a field that occurs twice, and for the reasons of
    ///   ``MultipartBody``.
    package init(multipart bytes: [UInt8], boundary: String) throws(MalformedForm) {
        let body = try MultipartBody(bytes, boundary: boundary, atMost: Self.greatestCount)
        var fields: [String: String] = [:]
        let names = Set(body.files.map(\.name))
        for (name, value) in body.fields {
            // One input may send several files of the same name.
            if names.contains(name) {
                fields[name] = fields[name] ?? value
            } else {
                try Self.add(name, value, to: &fields)
            }
        }
        self.fields = fields
        files = Dictionary(grouping: body.files, by: \.name).mapValues { $0.map(\.bytes) }
        fileNames = Dictionary(grouping: body.files.filter { !$0.bytes.isEmpty }, by: \.name)
            .mapValues { $0.map(\.fileName) }
    }

    package subscript(name: String) -> String? { fields[name] }

    /// Returns the non-empty files of an input, in order; an input without a chosen file sends an empty
    /// one.
    package func files(_ name: String) -> [[UInt8]] {
        (files[name] ?? []).filter { !$0.isEmpty }
    }

    /// Returns the browser's names of these files, in the same order; empty where it sends none.
    package func fileNames(_ name: String) -> [String] { fileNames[name] ?? [] }

    /// All fields by name.
    package var all: [String: String] { fields }

    private static func add(
        _ name: String,
        _ value: String,
        to fields: inout [String: String],
    ) throws(MalformedForm) {
        guard fields.updateValue(value, forKey: name) == nil else {
            throw MalformedForm(what: "a field is given twice")
        }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) throws(MalformedForm) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard rest.count >= 2,
                    let high = Hex.value(of: rest[rest.startIndex]),
                    let low = Hex.value(of: rest[rest.startIndex + 1])
                else { throw notEncoded }
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else { throw notEncoded }
        return decoded
    }

    private static let notEncoded = MalformedForm(what: "a field is not percent-encoded UTF-8")
}
