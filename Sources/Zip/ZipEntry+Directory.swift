import Bytes

extension ZipEntry {
    /// Interprets a directory entry, or throws why it is ambiguous.
    init(_ header: CentralHeader, limits: ZipLimits) throws(ZipRefusal) {
        let extra = try record(in: header.extra, at: header.place, otherwise: .malformedExtra) {
            (reader) throws(MalformedBytes) in
            try ExtraFields(central: try reader.bytes(reader.remaining, "extra fields"))
        }
        var sizes = header.sizes
        do throws(MalformedBytes) {
            try sizes.adopt(extra.zip64Data)
        } catch {
            throw ZipRefusal(.malformedExtra, at: header.place, error.description)
        }
        let name = try EntryName(header.name, extra: extra, limits: limits)
        let attributes = try EntryAttributes(header, name: name)
        try header.checkReadable(disk: sizes.disk)
        guard let method = Method(rawValue: header.method) else {
            throw ZipRefusal(
                .unsupportedMethod,
                at: header.place,
                "uses compression method \(header.method)",
            )
        }
        try sizes.check(method, kind: attributes.kind, limits: limits, at: header.place)
        path = name.path
        kind = attributes.kind
        self.method = method
        compressedSize = sizes.compressedSize
        size = sizes.size
        crc32 = header.crc32
        unixMode = attributes.unixMode
        headerOffset = sizes.headerOffset
        dataOffset = sizes.headerOffset
        flags = EntryFlags(rawValue: header.flags)
    }
}

extension CentralHeader {
    /// The name as shown in a refusal.
    fileprivate var place: String { PrintableText(escaping: name).text }

    fileprivate func checkReadable(disk: Int) throws(ZipRefusal) {
        let flags = EntryFlags(rawValue: flags)
        guard flags.isDisjoint(with: [.encrypted, .strongEncryption, .maskedHeader]) else {
            throw ZipRefusal(.encrypted, at: place, "is encrypted")
        }
        guard !flags.contains(.patched) else {
            throw ZipRefusal(.unsupportedMethod, at: place, "is a patch to another file")
        }
        guard disk == 0 else {
            throw ZipRefusal(.multiDisk, at: place, "is on another disk")
        }
    }
}

extension EntrySizes {
    fileprivate func check(
        _ method: ZipEntry.Method,
        kind: ZipEntry.Kind,
        limits: ZipLimits,
        at place: @autoclosure () -> String,
    ) throws(ZipRefusal) {
        guard kind != .directory || size == 0 else {
            throw ZipRefusal(
                .sizeMismatch,
                at: place(),
                "is a folder with \(size.grouped) bytes of contents",
            )
        }
        guard method == .deflated || size == compressedSize else {
            throw ZipRefusal(
                .sizeMismatch,
                at: place(),
                "is stored uncompressed, with \(size.grouped) bytes in \(compressedSize.grouped)",
            )
        }
        try limits.check(self, at: place())
    }
}
