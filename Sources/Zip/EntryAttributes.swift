import Bytes

/// The kind and mode of an entry, from its name, host system and external attributes.
struct EntryAttributes {
    private static let unixHosts: Set<UInt8> = [3, 19]
    private static let typeMask: UInt16 = 0o170000
    private static let dosFolder: UInt32 = 0x10

    let kind: ZipEntry.Kind
    let unixMode: UInt16?

    /// - Throws: ``ZipRule/ambiguousKind`` when name and attributes disagree, because some unpackers use
    ///   the name and some the attributes.
    init(_ header: CentralHeader, name: EntryName) throws(ZipRefusal) {
        let mode = UInt16(truncatingIfNeeded: header.externalAttributes >> 16)
        let isUnix = Self.unixHosts.contains(header.host)
        unixMode = isUnix || mode != 0 ? mode : nil
        let type = mode & Self.typeMask
        let isDOSFolder = header.externalAttributes & Self.dosFolder != 0
        let isFolderToDOS = isDOSFolder && (!isUnix || type == 0)
        switch (type, name.endsInSlash) {
        case (0, true), (0o040000, true):
            kind = .directory
        case (0, false) where !isFolderToDOS,
            (0o100000, false) where !isFolderToDOS,
            // `zip` records this type for contents read from a pipe.
            (0o010000, false) where isUnix:
            kind = .file
        case (0o120000, false) where isUnix:
            kind = .symbolicLink
        default:
            throw ZipRefusal(
                .ambiguousKind,
                at: PrintableText(escaping: header.name).text,
                name.endsInSlash
                    ? "is named as a folder, but marked as something else"
                    : "is marked as something other than a file or a link",
            )
        }
    }
}
