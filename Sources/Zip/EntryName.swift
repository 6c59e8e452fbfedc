import Bytes

/// An entry's name as a path that means the same everywhere.
struct EntryName {
    /// Without the slash that marks a folder.
    let path: String
    let endsInSlash: Bool

    init(
        _ bytes: ArraySlice<UInt8>,
        extra: ExtraFields,
        limits: ZipLimits,
    ) throws(ZipRefusal) {
        guard !bytes.isEmpty else {
            throw ZipRefusal(.emptyName, at: ZipRefusal.directory, "an entry has no name")
        }
        if let reason = Self.danger(in: bytes, longest: limits.nameLength) {
            throw ZipRefusal(.unsafePath, at: PrintableText(escaping: bytes).text, reason)
        }
        endsInSlash = bytes.last == UInt8(ascii: "/")
        guard let path = String(validating: endsInSlash ? bytes.dropLast() : bytes, as: UTF8.self)
        else {
            throw ZipRefusal(
                .ambiguousName,
                at: PrintableText(escaping: bytes).text,
                "is not UTF-8",
            )
        }
        if let unicodeName = extra.unicodeName, unicodeName != bytes {
            throw ZipRefusal(
                .ambiguousName,
                at: PrintableText(escaping: bytes).text,
                "has another name, \(PrintableText(escaping: unicodeName)), in its Unicode Path field",
            )
        }
        self.path = path
    }

    /// What makes a path unsafe to unpack or to show, if anything does.
    ///
    /// Empty and `.` components are refused rather than removed: unpackers disagree on whether
    /// `a//b` and `./a/b` are `a/b`.
    private static func danger(in bytes: ArraySlice<UInt8>, longest: Int) -> String? {
        guard bytes.count <= longest else {
            return "the name has \(bytes.count) bytes, more than the \(longest) allowed"
        }
        var previous: UInt8 = 0
        for byte in bytes {
            switch byte {
            case 0..<0x20, 0x7F: return "a control character is in the name"
            case 0x80...0x9F where previous == 0xC2: return "a control character is in the name"
            case UInt8(ascii: "\\"): return "a backslash is in the name"
            default: previous = byte
            }
        }
        guard bytes.first != UInt8(ascii: "/") else { return "the path is absolute" }
        let folders = bytes.last == UInt8(ascii: "/") ? bytes.dropLast() : bytes
        for component in folders.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false,
        ) {
            if component.isEmpty { return "the path has an empty component" }
            if component.elementsEqual(".".utf8) { return "the path has the component '.'" }
            if component.elementsEqual("..".utf8) { return "the path leads out of its folder" }
        }
        return nil
    }
}
