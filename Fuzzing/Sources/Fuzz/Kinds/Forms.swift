import Bytes
import HTTPServing

/// `form`: the fields of a form are those in its bytes, and stay the same when they are encoded again.
///
/// The input is a `Content-Type`, a line feed, and the body.
struct Forms: PlainInputKind {
    static let name = "form"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            "application/x-www-form-urlencoded\ncode=ABC-123&name=Ana+B%C3%A9&empty=&alone",
            "\na=1&\u{301}b=2&%61=3", "\n+%2B=%00%zz&a=%E2%82%AC",
            "multipart/form-data; boundary=XX\n--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n"
                + "\r\none\r\n--X\r\n--XX\r\ncontent-disposition: form-data; name=\"b\"; "
                + "filename=\"x\"\r\nContent-Type: text/plain\r\n\r\n\r\n--XX--\r\n",
            "Multipart/Form-Data; charset=utf-8;boundary=\"-\"\n---\r\nContent-Disposition: ; name=\"\"\r\n"
                + "\r\n\r\n-----",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        let end = input.firstIndex(of: 10) ?? input.endIndex
        let type = String(decoding: input[..<end], as: UTF8.self)
        let body = Array(input[end...].dropFirst())
        if let boundary = MultipartBody.boundary(in: type) {
            promise((1...70).contains(boundary.utf8.count), "a boundary without bound")
            checkParts(body, boundary)
        } else {
            checkPairs(body)
        }
    }

    private func checkPairs(_ body: [UInt8]) {
        let form = accepted { () throws(MalformedForm) in try FormFields(urlEncoded: body) }
        let wanted = Self.pairs(in: body)
        promise((form == nil) == (wanted == nil), "a form is refused, or taken, against its bytes")
        guard let form, let wanted else { return }
        promise(form.all == wanted, "a form has other fields than its bytes")
        let text = form.all.map { Self.encoded($0) + "=" + Self.encoded($1) }
            .joined(separator: "&")
        let again = accepted { () throws(MalformedForm) in
            try FormFields(urlEncoded: Array(text.utf8))
        }
        // A field without name and value is encoded as "=".
        promise(again?.all == form.all, "a form is another one when it is sent again")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "%0" + digits : "%" + digits
        }.joined()
    }

    /// The fields according to the WHATWG URL standard, except that invalid escapes are refused.
    private static func pairs(in body: [UInt8]) -> [String: String]? {
        var fields: [String: String] = [:]
        let pairs = body.split(separator: UInt8(ascii: "&"))
        guard pairs.count <= FormFields.greatestCount else { return nil }
        for pair in pairs {
            let halves = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false,
            )
            guard let name = decoded(halves[0]),
                let value = decoded(halves.count > 1 ? halves[1] : []), fields[name] == nil
            else { return nil }
            fields[name] = value
        }
        return fields
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var text: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.endIndex,
                    let byte = Hex.decode(
                        String(decoding: bytes[index + 1...index + 2], as: UTF8.self)
                    )?.first
                else { return nil }
                text.append(byte)
                index += 3
            } else {
                text.append(bytes[index] == UInt8(ascii: "+") ? 32 : bytes[index])
                index += 1
            }
        }
        return String(validating: text, as: UTF8.self)
    }

    private func checkParts(_ body: [UInt8], _ boundary: String) {
        let parts = accepted { () throws(MalformedForm) in
            try MultipartBody(body, boundary: boundary, atMost: 16)
        }
        guard let parts else { return }
        promise(parts.fields.count <= 16, "parts without bound")
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var written: [UInt8] = []
        for (name, value) in parts.fields {
            let bytes = Array(value.utf8)
            promise(
                !bytes.indices.contains { bytes[$0...].starts(with: delimiter) },
                "a field runs over the boundary",
            )
            promise(!name.utf8.contains(UInt8(ascii: "\"")), "a name runs over its end")
            written += delimiter + Array("\r\nContent-Disposition: form-data; name=\"".utf8)
            written += Array(name.utf8) + Array("\"\r\n\r\n".utf8) + bytes
        }
        written += delimiter + Array("--".utf8)
        // A name with a line break cannot be encoded in this way.
        guard !parts.fields.contains(where: { $0.name.utf8.contains(13) }) else { return }
        let again = accepted { () throws(MalformedForm) in
            try MultipartBody(Array(written.dropFirst(2)), boundary: boundary, atMost: 16)
        }
        promise(
            again.map { $0.fields.map(\.name) } == parts.fields.map(\.name)
                && again.map { $0.fields.map(\.value) } == parts.fields.map(\.value),
            "a form is another one when it is sent again",
        )
    }
}
