extension XMLCursor {
    /// Skips everything before the root element.
    ///
    /// The document type declaration is allowed only in Apple's form: without an internal subset no
    /// entity can be defined, as entity bombs and external entities require.
    mutating func readProlog() throws(MalformedPropertyList) {
        try refuseUTF16()
        skipWhitespace()
        guard next == UInt8(ascii: "<") else { throw MalformedPropertyList(.notAPropertyList) }
        if skip("<?xml") { try readDeclaration() }
        try skipSpace()
        if skip("<!DOCTYPE") { try readDocumentType() }
        try skipSpace()
        if isAt("<!DOCTYPE") { throw refusal("has a second document type") }
    }

    private func refuseUTF16() throws(MalformedPropertyList) {
        let marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0x3C, 0x00], [0x00, 0x3C]]
        if marks.contains(where: bytes.starts(with:)) {
            throw refusal("is UTF-16 and not UTF-8")
        }
    }

    private mutating func readDeclaration() throws(MalformedPropertyList) {
        while true {
            skipWhitespace()
            if skip("?>") { return }
            let place = position
            let (name, value) = try attribute(in: "XML declaration")
            switch String(decoding: name, as: UTF8.self) {
            case "version", "standalone":
                break
            case "encoding":
                let encoding = String(decoding: value, as: UTF8.self)
                let known = ["utf-8", "utf8", "us-ascii"] + (isTranscoded ? ["utf-16"] : [])
                guard known.contains(encoding.lowercased()) else {
                    throw refusal("is \(Quoted(encoding)) and not UTF-8", at: place)
                }
            default:
                throw refusal("has a malformed XML declaration", at: place)
            }
        }
    }

    private mutating func readDocumentType() throws(MalformedPropertyList) {
        let start = position
        skipWhitespace()
        guard name().elementsEqual("plist".utf8) else {
            throw refusal("has the document type of something else", at: start)
        }
        while true {
            skipWhitespace()
            switch next {
            case UInt8(ascii: ">"):
                position += 1
                return
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = try quoted()
            case UInt8(ascii: "["):
                throw refusal("defines entities or elements of its own in the document type")
            default:
                let word = name()
                guard word.elementsEqual("PUBLIC".utf8) || word.elementsEqual("SYSTEM".utf8) else {
                    throw refusal("has a malformed document type", at: start)
                }
            }
        }
    }

    /// Reads an attribute, `name="value"`.
    mutating func attribute(
        in place: String
    ) throws(MalformedPropertyList) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        let start = position
        let name = name()
        skipWhitespace()
        guard !name.isEmpty, skip("=") else {
            throw refusal("has a malformed \(place)", at: start)
        }
        skipWhitespace()
        return (name, try quoted())
    }
}
