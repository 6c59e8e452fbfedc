import Bytes

extension Segment {
    init(
        reading bytes: inout ByteReader,
        is64Bit: Bool,
        in bounds: CommandBounds,
    ) throws(MalformedBytes) {
        let start = bytes.offset
        guard is64Bit == bounds.is64Bit else {
            throw MalformedBytes("segment", at: start, .invalid("has the other word size"))
        }
        name = CommandText.decoding(try bytes.bytes(16, "segment name"))
        address = try bytes.word(is64Bit, "segment address")
        memorySize = try bytes.word(is64Bit, "segment memory size")
        guard !address.addingReportingOverflow(memorySize).overflow else {
            throw MalformedBytes("segment", at: start, .invalid("wraps around in memory"))
        }
        let place = bytes.offset
        let offset = try bytes.word(is64Bit, "segment file offset")
        let size = try bytes.word(is64Bit, "segment file size")
        fileRange = try bounds.range(offset, size, "segment file range", at: place)
        maximumProtection = try bytes.littleEndian(UInt32.self, "maximum protection")
        initialProtection = try bytes.littleEndian(UInt32.self, "initial protection")
        let count = try bytes.littleEndian(UInt32.self, "section count")
        try bytes.skip(4, "segment flags")
        guard Int(count) <= bytes.remaining / (is64Bit ? 80 : 68) else {
            throw MalformedBytes(
                "section count",
                at: bytes.offset - 8,
                .invalid("is \(count), more than the command holds"),
            )
        }
        sectionCount = Int(count)
        var informationRange: Range<Int>?
        var contentStart: Int?
        for _ in 0..<sectionCount {
            let section = try SectionPlace(reading: &bytes, is64Bit: is64Bit)
            if section.hasBytes {
                contentStart = min(contentStart ?? .max, Int(section.offset))
            }
            guard informationRange == nil, section.name == "__info_plist" else { continue }
            informationRange = section.range(in: bounds)
        }
        self.informationRange = informationRange
        self.contentStart = contentStart
    }
}

/// The fields of a section that rules need.
private struct SectionPlace {
    let name: String
    let size: UInt64
    let offset: UInt64
    let flags: UInt32

    init(reading bytes: inout ByteReader, is64Bit: Bool) throws(MalformedBytes) {
        name = CommandText.decoding(try bytes.bytes(16, "section name"))
        try bytes.skip(16, "section's segment name")
        _ = try bytes.word(is64Bit, "section address")
        size = try bytes.word(is64Bit, "section size")
        offset = UInt64(try bytes.littleEndian(UInt32.self, "section offset"))
        try bytes.skip(12, "section alignment and relocations")
        flags = try bytes.littleEndian(UInt32.self, "section flags")
        try bytes.skip(is64Bit ? 12 : 8, "section reserved")
    }

    /// S_ZEROFILL, S_GB_ZEROFILL and S_THREAD_LOCAL_ZEROFILL sections exist only in memory.
    var hasBytes: Bool { size > 0 && ![0x1, 0xc, 0x12].contains(flags & 0xff) }

    /// Nil for a section without bytes in the slice, whose offset dyld ignores, or one outside the slice.
    func range(in bounds: CommandBounds) -> Range<Int>? {
        let isFilledWithZeroes = flags & 0xff == 1
        guard !isFilledWithZeroes, offset <= UInt64(bounds.sliceSize),
            size <= UInt64(bounds.sliceSize) - offset
        else { return nil }
        return Int(offset)..<Int(offset) + Int(size)
    }
}

extension BuildVersion {
    init(reading bytes: inout ByteReader) throws(MalformedBytes) {
        platform = BuildPlatform(try bytes.littleEndian(UInt32.self, "platform"))
        minimumOS = try bytes.version("minimum version")
        sdk = try bytes.version("SDK version")
        let start = bytes.offset
        let count = Int(try bytes.littleEndian(UInt32.self, "tool count"))
        guard count <= bytes.remaining / 8 else {
            throw MalformedBytes(
                "tool count",
                at: start,
                .invalid("is \(count), more than the command holds"),
            )
        }
        var tools: [Tool] = []
        for _ in 0..<count {
            tools.append(
                Tool(
                    number: try bytes.littleEndian(UInt32.self, "tool"),
                    version: try bytes.version("tool version"),
                )
            )
        }
        self.tools = tools
        isLegacy = false
    }

    /// Reads one of LC_VERSION_MIN_*, whose command number gives the platform.
    init(_ platform: BuildPlatform, reading bytes: inout ByteReader) throws(MalformedBytes) {
        self.platform = platform
        minimumOS = try bytes.version("minimum version")
        sdk = try bytes.version("SDK version")
        tools = []
        isLegacy = true
    }
}

extension EncryptionInfo {
    init(reading bytes: inout ByteReader, in bounds: CommandBounds) throws(MalformedBytes) {
        let start = bytes.offset
        let offset = UInt64(try bytes.littleEndian(UInt32.self, "encryption offset"))
        let size = UInt64(try bytes.littleEndian(UInt32.self, "encryption size"))
        range = try bounds.range(offset, size, "encrypted range", at: start)
        identifier = try bytes.littleEndian(UInt32.self, "encryption identifier")
    }
}

extension LinkedLibrary {
    init(_ binding: Binding, reading bytes: inout ByteReader) throws(MalformedBytes) {
        self.binding = binding
        let name = try bytes.littleEndian(UInt32.self, "library name offset")
        try bytes.skip(4, "library timestamp")
        currentVersion = try bytes.version("library version")
        compatibilityVersion = try bytes.version("library compatibility version")
        path = try bytes.text(at: name, "library name")
    }
}

extension CommandBounds {
    /// Checks that a range given by two numbers of the file is inside the slice.
    func range(
        _ offset: UInt64,
        _ size: UInt64,
        _ field: String,
        at place: Int,
    ) throws(MalformedBytes) -> Range<Int> {
        guard offset <= UInt64(sliceSize), size <= UInt64(sliceSize) - offset else {
            throw MalformedBytes(
                field,
                at: place,
                .invalid("of \(size.grouped) bytes at \(offset) leaves the slice of \(sliceSize)"),
            )
        }
        return Int(offset)..<Int(offset) + Int(size)
    }
}

extension ByteReader {
    /// Reads a number of the address width.
    mutating func word(_ is64Bit: Bool, _ field: String) throws(MalformedBytes) -> UInt64 {
        try is64Bit ? littleEndian(UInt64.self, field) : UInt64(littleEndian(UInt32.self, field))
    }

    mutating func version(_ field: String) throws(MalformedBytes) -> PackedVersion {
        PackedVersion(rawValue: try littleEndian(UInt32.self, field))
    }

    /// Reads the range of LC_CODE_SIGNATURE; a signature cannot overlap the load commands.
    mutating func signatureRange(in bounds: CommandBounds) throws(MalformedBytes) -> Range<Int> {
        let start = offset
        let place = UInt64(try littleEndian(UInt32.self, "signature offset"))
        let size = UInt64(try littleEndian(UInt32.self, "signature size"))
        let range = try bounds.range(place, size, "signature range", at: start)
        guard range.lowerBound >= bounds.headerEnd, range.count <= MachOLimits.signatureBytes else {
            throw MalformedBytes(
                "signature range",
                at: start,
                .invalid(
                    "of \(size.grouped) bytes at \(place) is too large or begins in the header"
                ),
            )
        }
        return range
    }

    /// Reads an `lc_str` whose offset is at the cursor.
    mutating func text(_ field: String) throws(MalformedBytes) -> String {
        let place = try littleEndian(UInt32.self, field)
        return try text(at: place, field)
    }

    /// Reads an `lc_str`: zero-terminated text at an offset from the command's start, inside the command.
    mutating func text(at place: UInt32, _ field: String) throws(MalformedBytes) -> String {
        guard Int(place) >= offset else {
            throw MalformedBytes(field, at: Int(place), .invalid("begins in the command's fields"))
        }
        try seek(to: Int(place), field)
        let rest = try bytes(remaining, field)
        guard rest.contains(0) else {
            throw MalformedBytes(field, at: Int(place), .invalid("does not end with a zero"))
        }
        return CommandText.decoding(rest)
    }
}

/// Text in a fixed-size field.
enum CommandText {
    /// Decodes up to the first zero; bytes that are not UTF-8 become replacement characters.
    static func decoding(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
