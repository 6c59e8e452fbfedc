import Bytes

/// An entry's name as a path with the same meaning to every unpacker.
struct EntryName {
    /// Without the trailing slash of a folder.
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
        let name = endsInSlash ? bytes.dropLast() : bytes
        let isASCII = name.allSatisfy { $0 < 0x80 }
        guard let path = isASCII ? "" : String(validating: name, as: UTF8.self) else {
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
        if !isASCII, let reason = Self.disguise(in: path) {
            throw ZipRefusal(.unsafePath, at: PrintableText(escaping: bytes).text, reason)
        }
        self.path = RelativePath(name)
    }

    /// Why a path is unsafe to unpack or to show; nil when it is safe.
    ///
    /// Empty and `.` components are refused rather than removed: unpackers disagree on whether `a//b` and
    /// `./a/b` are `a/b`.
    private static func danger(in bytes: ArraySlice<UInt8>, longest: Int) -> String? {
        guard bytes.count <= longest else {
            return
                "the name has \(bytes.count.grouped) bytes, more than the \(longest.grouped) allowed"
        }
        var previous: UInt8 = 0
        var start = bytes.startIndex
        var flaw: String?
        for index in bytes.indices {
            let byte = bytes[index]
            switch byte {
            case 0..<0x20, 0x7F: return "the name contains a control character"
            case 0x80...0x9F where previous == 0xC2: return "the name contains a control character"
            case UInt8(ascii: "\\"): return "the name contains a backslash"
            case UInt8(ascii: "/"):
                if flaw == nil { flaw = danger(of: bytes[start..<index]) }
                start = index + 1
            default: break
            }
            previous = byte
        }
        guard bytes.first != UInt8(ascii: "/") else { return "the path is absolute" }
        // A folder's name ends in a slash.
        if flaw == nil, start < bytes.endIndex { flaw = danger(of: bytes[start...]) }
        return flaw
    }

    private static func danger(of component: ArraySlice<UInt8>) -> String? {
        guard component.count < 3 else { return nil }
        if component.isEmpty { return "the path has an empty component" }
        if component.elementsEqual(".".utf8) { return "the path has the component '.'" }
        if component.elementsEqual("..".utf8) { return "the path leads out of its folder" }
        return nil
    }

    /// Why a name reads differently as bytes, as on phones, and as characters, as in some programs; nil
    /// when it does not.
    ///
    /// A combining mark merges with a preceding slash or dot into one character, and a sign such as
    /// U+0600 merges with what follows. Marks on letters are part of file names in most languages, and
    /// are allowed.
    private static func disguise(in path: String) -> String? {
        let isDisguised = "/\(path)/".contains { character in
            let bytes = character.utf8
            return bytes.count > 1
                && bytes.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
        }
        return isDisguised ? "a combining mark in the name joins with a slash or a dot" : nil
    }
}
