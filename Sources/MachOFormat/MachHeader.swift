package import Bytes

/// The header of a slice (`mach_header`, `mach_header_64` of `mach-o/loader.h`).
package struct MachHeader: Hashable, Sendable {
    package enum FileType: Hashable, Sendable {
        case object, executable, core, dynamicLibrary, dynamicLinker, bundle, libraryStub
        case debugSymbols, kernelExtension
        case unknown(UInt32)

        package init(_ number: UInt32) {
            self =
                switch number {
                case 1: .object
                case 2: .executable
                case 4: .core
                case 6: .dynamicLibrary
                case 7: .dynamicLinker
                case 8: .bundle
                case 9: .libraryStub
                case 10: .debugSymbols
                case 11: .kernelExtension
                default: .unknown(number)
                }
        }
    }

    /// MH_* bits; only the one that the sample code sets has a name.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// MH_PIE: the loader may place the program at any address.
        package static let positionIndependent = Flags(rawValue: 0x20_0000)
    }

    package let is64Bit: Bool
    package let processor: Processor
    /// The capability bits of `cpusubtype`, its high byte.
    package let capabilities: UInt8
    package let fileType: FileType
    package let commandCount: Int
    /// The size of all load commands, which follow the header, in bytes.
    package let commandBytes: Int
    package let flags: Flags

    /// The size of the header itself in bytes.
    package var size: Int { Self.size(is64Bit: is64Bit) }

    static func size(is64Bit: Bool) -> Int { is64Bit ? 32 : 28 }
}

extension MachHeader {
    /// Whether the magic is that of a 64-bit slice.
    ///
    /// - Throws: ``MalformedBytes`` for everything that is not a little-endian slice.
    static func is64Bit(magic: UInt32) throws(MalformedBytes) -> Bool {
        switch magic {
        case 0xfeed_face: false
        case 0xfeed_facf: true
        case 0xcefa_edfe, 0xcffa_edfe:
            throw MalformedBytes("Mach-O magic", at: 0, .unexpected(found: "big-endian"))
        default:
            throw MalformedBytes(
                "Mach-O magic",
                at: 0,
                .unexpected(found: "0x" + String(magic, radix: 16)),
            )
        }
    }

    package init(reading bytes: inout ByteReader) throws(MalformedBytes) {
        is64Bit = try Self.is64Bit(magic: bytes.littleEndian(UInt32.self, "Mach-O magic"))
        let type = try bytes.littleEndian(UInt32.self, "processor type")
        let subtype = try bytes.littleEndian(UInt32.self, "processor subtype")
        processor = Processor(type: type, subtype: subtype)
        capabilities = UInt8(subtype >> 24)
        fileType = FileType(try bytes.littleEndian(UInt32.self, "file type"))
        commandCount = try bytes.count(atMost: MachOLimits.commands, "load command count")
        commandBytes = try bytes.count(atMost: MachOLimits.commandBytes, "load command size")
        flags = Flags(rawValue: try bytes.littleEndian(UInt32.self, "flags"))
        if is64Bit { try bytes.skip(4, "reserved") }
    }
}

extension ByteReader {
    /// Reads a 32-bit count.
    mutating func count(atMost limit: Int, _ field: String) throws(MalformedBytes) -> Int {
        let start = offset
        let count = Int(try littleEndian(UInt32.self, field))
        guard count <= limit else {
            throw MalformedBytes(
                field,
                at: start,
                .invalid("is \(count.grouped), and more than \(limit.grouped) is refused"),
            )
        }
        return count
    }
}
