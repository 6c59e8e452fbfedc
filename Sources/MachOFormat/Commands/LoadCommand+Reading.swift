import Bytes

/// The bounds against which the commands of a slice are checked.
struct CommandBounds {
    let is64Bit: Bool
    /// The size of the slice in bytes.
    let sliceSize: Int
    /// The size of the header and all commands in bytes.
    let headerEnd: Int
}

extension LoadCommand {
    /// Reads all commands of a slice; `bytes` must be at the first command.
    static func all(
        _ header: MachHeader,
        reading bytes: inout ByteReader,
        sliceSize: Int,
    ) throws(MalformedBytes) -> [LoadCommand] {
        let end = header.size + header.commandBytes
        let bounds = CommandBounds(
            is64Bit: header.is64Bit,
            sliceSize: sliceSize,
            headerEnd: end,
        )
        var commands: [LoadCommand] = []
        for _ in 0..<header.commandCount {
            let start = bytes.offset
            let number = try bytes.littleEndian(UInt32.self, "load command")
            let size = Int(try bytes.littleEndian(UInt32.self, "load command size"))
            guard size >= 8, size.isMultiple(of: 4), size <= end - start else {
                throw MalformedBytes(
                    "load command size",
                    at: start + 4,
                    .invalid("is \(size) where \((end - start).grouped) bytes remain"),
                )
            }
            try bytes.seek(to: start, "load command")
            var body = ByteReader(try bytes.bytes(size, "load command"))
            let command = try reading(at: start) { () throws(MalformedBytes) in
                try body.skip(8, "load command")
                return try LoadCommand(number, size: size, reading: &body, in: bounds)
            }
            guard !command.mustBeAlone || !commands.contains(where: command.isSameKind) else {
                throw MalformedBytes("load command", at: start, .invalid("appears twice"))
            }
            commands.append(command)
        }
        return commands
    }

    private init(
        _ number: UInt32,
        size: Int,
        reading bytes: inout ByteReader,
        in bounds: CommandBounds,
    ) throws(MalformedBytes) {
        switch number {
        case 0x01: self = .segment(try Segment(reading: &bytes, is64Bit: false, in: bounds))
        case 0x19: self = .segment(try Segment(reading: &bytes, is64Bit: true, in: bounds))
        case 0x0c: self = .library(try LinkedLibrary(.required, reading: &bytes))
        case 0x8000_0018: self = .library(try LinkedLibrary(.weak, reading: &bytes))
        case 0x8000_001f: self = .library(try LinkedLibrary(.reexported, reading: &bytes))
        case 0x20: self = .library(try LinkedLibrary(.lazy, reading: &bytes))
        case 0x8000_0023: self = .library(try LinkedLibrary(.upward, reading: &bytes))
        case 0x0d: self = .identity(try LinkedLibrary(.own, reading: &bytes))
        case 0x0e: self = .dynamicLinker(try bytes.text("dynamic linker"))
        case 0x8000_001c: self = .runPath(try bytes.text("run path"))
        case 0x1b: self = .uuid(Array(try bytes.bytes(16, "identifier")))
        case 0x1d: self = .codeSignature(try bytes.signatureRange(in: bounds))
        case 0x21, 0x2c: self = .encryption(try EncryptionInfo(reading: &bytes, in: bounds))
        case 0x24: self = .buildVersion(try BuildVersion(.macOS, reading: &bytes))
        case 0x25: self = .buildVersion(try BuildVersion(.iOS, reading: &bytes))
        case 0x2f: self = .buildVersion(try BuildVersion(.tvOS, reading: &bytes))
        case 0x30: self = .buildVersion(try BuildVersion(.watchOS, reading: &bytes))
        case 0x32: self = .buildVersion(try BuildVersion(reading: &bytes))
        case 0x2a:
            self = .sourceVersion(try bytes.littleEndian(UInt64.self, "source version"))
        case 0x8000_0028:
            self = .entryPoint(
                offset: try bytes.littleEndian(UInt64.self, "entry point"),
                stackSize: try bytes.littleEndian(UInt64.self, "stack size"),
            )
        default: self = .unknown(number: number, size: size)
        }
    }

    /// Whether a second one would make the slice ambiguous.
    private var mustBeAlone: Bool {
        switch self {
        case .codeSignature, .encryption, .uuid, .entryPoint, .identity: true
        default: false
        }
    }

    private func isSameKind(as other: LoadCommand) -> Bool {
        switch (self, other) {
        case (.codeSignature, .codeSignature), (.encryption, .encryption), (.uuid, .uuid),
            (.entryPoint, .entryPoint), (.identity, .identity):
            true
        default: false
        }
    }
}
