import Bytes
import Cryptography

/// A minimal program or library that the loader and all Mach-O tools accept.
///
/// The layout is that of the linker: header and load commands, code from the second 16 KiB page on, then
/// `__LINKEDIT` with the symbol table and, at its end, the signature.
package struct MachOBuilder: Sendable {
    package enum Kind: Sendable { case executable, dynamicLibrary }

    package var kind: Kind
    package var architecture: Architecture
    package var platform: MachOPlatform
    package var minimumOS: String
    package var sdk: String
    /// Also the seed of the UUID, so that equal builders give equal bytes.
    package var name: String
    /// The install name of a dynamic library.
    package var installName: String?
    package var libraries = ["/usr/lib/libSystem.B.dylib"]
    /// Libraries that may be missing at run time.
    package var weakLibraries: [String] = []
    package var runPaths: [String] = []
    /// The content of the section `__TEXT,__info_plist`, which Swift's runtime libraries have; nil for
    /// none.
    package var information: [UInt8]?
    /// The number of incompressible bytes of code after the two instructions of `main`.
    package var extraCode = 0
    /// 0 for a decrypted program, 1 for one that the App Store encrypted, nil to omit the command.
    package var encryption: UInt32? = 0
    /// Writes LC_VERSION_MIN_IPHONEOS instead of LC_BUILD_VERSION, as linkers did before iOS 12.
    package var usesLegacyVersion = false

    package init(
        _ kind: Kind = .executable,
        named name: String,
        minimumOS: String = "15.0",
        architecture: Architecture = .arm64,
    ) {
        self.kind = kind
        self.name = name
        self.minimumOS = minimumOS
        self.architecture = architecture
        platform = .iOS
        sdk = "26.2"
    }

    /// The slice up to its signature, with room for a signature of `reserved` bytes.
    ///
    /// 0 leaves the slice unsigned and without LC_CODE_SIGNATURE.
    package func slice(reservingSignature reserved: Int) throws(SampleFailure) -> MachOSlice {
        let codeSize = (architecture.program.count + extraCode + 3) & ~3
        let informationSize = information?.count ?? 0
        let textSize = Self.pages(MachOSlice.codeOffset + codeSize + informationSize)
        let symbols = SymbolTable(kind == .executable ? "_main" : "_sample", in: self)
        let signatureOffset = (textSize + symbols.bytes.count + 15) & ~15
        let layout = MachOLayout(
            codeSize: codeSize,
            informationSize: informationSize,
            textSize: textSize,
            symbolStringsOffset: symbols.stringsOffset,
            symbolStringsSize: symbols.stringsSize,
            signatureOffset: signatureOffset,
            signatureSize: reserved,
        )
        let commands = loadCommands(layout)
        var writer = ByteWriter()
        header(&writer, commands)
        for command in commands { writer.append(command) }
        guard writer.count <= MachOSlice.codeOffset else {
            throw .headerTooLarge(writer.count)
        }
        writer.pad(to: MachOSlice.codeOffset)
        writer.append(architecture.program)
        writer.append(Noise(seed: name).bytes(extraCode))
        writer.pad(to: 4)
        writer.append(information ?? [])
        writer.pad(to: Self.pageSize)
        writer.append(symbols.bytes)
        writer.pad(to: 16)
        return MachOSlice(
            bytes: writer.bytes,
            textSize: textSize,
            isExecutable: kind == .executable,
            architecture: architecture,
            information: information,
        )
    }

    static let pageSize = 0x4000

    static func pages(_ count: Int) -> Int { (count + pageSize - 1) / pageSize * pageSize }

    /// Derived from the name and the architecture, and marked as a version 3 (name-based) UUID.
    var identifier: [UInt8] {
        var bytes = Array(
            DigestAlgorithm.sha256.digest(of: Array("\(name) \(architecture)".utf8)).prefix(16)
        )
        bytes[6] = bytes[6] & 0x0f | 0x30
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes
    }

    private func header(_ writer: inout ByteWriter, _ commands: [[UInt8]]) {
        writer.littleEndian(architecture.is64Bit ? 0xfeed_facf : 0xfeed_face as UInt32)
        writer.littleEndian(architecture.cpuType)
        writer.littleEndian(architecture.cpuSubtype)
        writer.littleEndian(kind == .executable ? 2 : 6 as UInt32)
        writer.littleEndian(UInt32(commands.count))
        writer.littleEndian(UInt32(commands.reduce(0) { $0 + $1.count }))
        // NOUNDEFS, DYLDLINK and TWOLEVEL; then PIE, or NO_REEXPORTED_DYLIBS.
        writer.littleEndian(kind == .executable ? 0x0020_0085 : 0x0010_0085 as UInt32)
        if architecture.is64Bit { writer.littleEndian(0 as UInt32) }
    }
}

/// A slice to be signed.
package struct MachOSlice: Sendable {
    /// All bytes that the page hashes cover.
    package let bytes: [UInt8]
    /// The size of `__TEXT`, which is the executable segment in the CodeDirectory.
    package let textSize: Int
    package let isExecutable: Bool
    package let architecture: Architecture
    /// The Info.plist that codesign uses for code without a bundle.
    package let information: [UInt8]?

    static let codeOffset = MachOBuilder.pageSize
}
