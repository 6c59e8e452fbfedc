import Bytes

extension CodeDirectory {
    /// Reads the fields of the CodeDirectory's version; `offset` is the blob's offset in the signature.
    ///
    /// - Throws: ``MalformedBytes`` when the blob ends before its fields do.
    init(
        reading blob: ArraySlice<UInt8>,
        slot: BlobSlot,
        at offset: Int,
    ) throws(MalformedBytes) {
        self.slot = slot
        self.offset = offset
        self.bytes = blob
        var bytes = ByteReader(blob)
        try bytes.skip(8, "magic and length")
        let version = try bytes.bigEndian(UInt32.self, "version")
        self.version = version
        flags = Flags(rawValue: try bytes.bigEndian(UInt32.self, "flags"))
        hashOffset = try bytes.number("digest offset")
        identifierOffset = try bytes.number("identifier offset")
        specialSlotCount = try bytes.number("special slot count")
        pageCount = try bytes.number("page count")
        let codeLimit = try bytes.bigEndian(UInt32.self, "code limit")
        hashSize = Int(try bytes.byte("digest size"))
        hashType = HashType(try bytes.byte("digest type"))
        platform = try bytes.byte("platform")
        pageSizeLog2 = try bytes.byte("page size")
        try bytes.skip(4, "spare2")
        scatterOffset = version >= 0x20100 ? try bytes.place("scatter offset") : nil
        teamOffset = version >= 0x20200 ? try bytes.place("team offset") : nil
        if version >= 0x20300 {
            try bytes.skip(4, "spare3")
            let wide = try bytes.bigEndian(UInt64.self, "64-bit code limit")
            self.codeLimit = wide == 0 ? UInt64(codeLimit) : wide
        } else {
            self.codeLimit = UInt64(codeLimit)
        }
        executableSegment =
            version >= 0x20400 ? try ExecutableSegment(reading: &bytes) : nil
        if version >= 0x20500 {
            runtime = PackedVersion(
                rawValue: try bytes.bigEndian(UInt32.self, "runtime version")
            )
            preEncryptOffset = try bytes.place("pre-encrypt offset")
        } else {
            runtime = nil
            preEncryptOffset = nil
        }
        linkage = version >= 0x20600 ? try Linkage(reading: &bytes) : nil
    }
}

extension CodeDirectory.ExecutableSegment {
    fileprivate init(reading bytes: inout ByteReader) throws(MalformedBytes) {
        base = try bytes.bigEndian(UInt64.self, "executable segment base")
        limit = try bytes.bigEndian(UInt64.self, "executable segment limit")
        flags = Flags(
            rawValue: try bytes.bigEndian(UInt64.self, "executable segment flags")
        )
    }
}

extension CodeDirectory.Linkage {
    /// Nil when the hash type is zero.
    fileprivate init?(reading bytes: inout ByteReader) throws(MalformedBytes) {
        let type = try bytes.byte("linkage digest type")
        hashType = HashType(type)
        applicationType = try bytes.byte("linkage application type")
        applicationSubtype = try bytes.bigEndian(UInt16.self, "linkage application subtype")
        offset = try bytes.number("linkage offset")
        size = try bytes.number("linkage size")
        if type == 0 { return nil }
    }
}

extension ByteReader {
    fileprivate mutating func number(_ field: String) throws(MalformedBytes) -> Int {
        Int(try bigEndian(UInt32.self, field))
    }

    /// Reads an offset; nil for 0.
    fileprivate mutating func place(_ field: String) throws(MalformedBytes) -> Int? {
        let place = try number(field)
        return place == 0 ? nil : place
    }
}
