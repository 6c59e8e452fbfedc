import Bytes

/// An entry's name as a path that means the same everywhere.
struct EntryName {
    /// Without the slash that marks a folder.
    let path: RelativePath
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
                "has another name, \(PrintableText(escaping: unicodeName)), in its Unicode Path "
                    + "field",
            )
        }
        if let reason = Self.disguise(in: path) {
            throw ZipRefusal(.unsafePath, at: PrintableText(escaping: bytes).text, reason)
        }
        self.path = RelativePath(path)
    }

    /// What makes a path unsafe to unpack or to show, if anything does.
    ///
    /// Empty and `.` components are refused rather than removed: unpackers disagree on whether
    /// `a//b` and `./a/b` are `a/b`.
    private static func danger(in bytes: ArraySlice<UInt8>, longest: Int) -> String? {
        guard bytes.count <= longest else {
            return
                "the name has \(bytes.count.grouped) bytes, more than the \(longest.grouped) allowed"
        }
        var previous: UInt8 = 0
        for byte in bytes {
            switch byte {
            case 0..<0x20, 0x7F: return "the name contains a control character"
            case 0x80...0x9F where previous == 0xC2: return "the name contains a control character"
            case UInt8(ascii: "\\"): return "the name contains a backslash"
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

    /// Why a name is read in two ways: one by programs that go by bytes, as phones do, and one by
    /// those that go by what a reader sees.
    ///
    /// A mark that combines with what stands before it takes a slash or dot into its own character,
    /// and a sign such as U+0600 does so with what follows. Marks on letters are what file names in
    /// most languages have, and stay.
    private static func disguise(in path: String) -> String? {
        guard path.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        let isDisguised = "/\(path)/".contains { character in
            let bytes = character.utf8
            return bytes.count > 1
                && bytes.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
        }
        return isDisguised ? "a combining mark in the name joins with a slash or a dot" : nil
    }
}
