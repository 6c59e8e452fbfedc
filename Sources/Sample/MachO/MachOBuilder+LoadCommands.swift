import Bytes

/// The offsets and sizes of the parts of a slice in bytes.
struct MachOLayout {
    let codeSize: Int
    let informationSize: Int
    let textSize: Int
    let symbolStringsOffset: Int
    let symbolStringsSize: Int
    let signatureOffset: Int
    let signatureSize: Int

    var fileSize: Int { signatureOffset + signatureSize }
}

/// The load commands of `mach-o/loader.h`, in the order of Apple's linker.
extension MachOBuilder {
    func loadCommands(_ layout: MachOLayout) -> [[UInt8]] {
        var commands = segments(layout)
        if kind == .dynamicLibrary {
            commands.append(library(0x0d, installName ?? "@rpath/\(name)", timestamp: 1))
        }
        commands.append(
            command(0x02) {
                $0.littleEndian(UInt32(layout.textSize))
                $0.littleEndian(1 as UInt32)
                $0.littleEndian(UInt32(layout.textSize + layout.symbolStringsOffset))
                $0.littleEndian(UInt32(layout.symbolStringsSize))
            }
        )
        commands.append(
            command(0x0b) {
                // One defined external symbol; no local, undefined or indirect ones.
                for value: UInt32 in [0, 0, 0, 1, 1, 0] { $0.littleEndian(value) }
                for _ in 0..<12 { $0.littleEndian(0 as UInt32) }
            }
        )
        if kind == .executable { commands.append(text(0x0e, "/usr/lib/dyld")) }
        commands.append(command(0x1b) { $0.append(identifier) })
        commands.append(version)
        commands.append(command(0x2a) { $0.littleEndian(0 as UInt64) })
        if kind == .executable {
            commands.append(
                command(0x8000_0028) {
                    $0.littleEndian(UInt64(MachOSlice.codeOffset))
                    $0.littleEndian(0 as UInt64)
                }
            )
        }
        if let encryption { commands.append(encryptionInfo(layout, encryption)) }
        commands += libraries.map { library(0x0c, $0, timestamp: 2) }
        commands += weakLibraries.map { library(0x8000_0018, $0, timestamp: 2) }
        commands += runPaths.map { text(0x8000_001c, $0) }
        if layout.signatureSize > 0 {
            commands.append(
                command(0x1d) {
                    $0.littleEndian(UInt32(layout.signatureOffset))
                    $0.littleEndian(UInt32(layout.signatureSize))
                }
            )
        }
        return commands
    }

    private func segments(_ layout: MachOLayout) -> [[UInt8]] {
        let linkEdit = layout.fileSize - layout.textSize
        var segments: [[UInt8]] = []
        if kind == .executable {
            segments.append(
                segment("__PAGEZERO", at: 0, size: baseAddress, file: 0..<0, protection: 0)
            )
        }
        segments.append(
            segment(
                "__TEXT",
                at: baseAddress,
                size: layout.textSize,
                file: 0..<layout.textSize,
                protection: 5,
                sections: textSections(layout),
            )
        )
        segments.append(
            segment(
                "__LINKEDIT",
                at: baseAddress + layout.textSize,
                size: Self.pages(linkEdit),
                file: layout.textSize..<layout.fileSize,
                protection: 1,
            )
        )
        return segments
    }

    var baseAddress: Int {
        guard kind == .executable else { return 0 }
        return architecture.is64Bit ? 0x1_0000_0000 : 0x4000
    }

    private func segment(
        _ name: String,
        at address: Int,
        size: Int,
        file: Range<Int>,
        protection: UInt32,
        sections: [Section] = [],
    ) -> [UInt8] {
        command(architecture.is64Bit ? 0x19 : 0x01) {
            $0.fixedText(name)
            for value in [address, size, file.lowerBound, file.count] { word(value, &$0) }
            $0.littleEndian(protection)
            $0.littleEndian(protection)
            $0.littleEndian(UInt32(sections.count))
            $0.littleEndian(0 as UInt32)
            for section in sections {
                $0.fixedText(section.name)
                $0.fixedText(name)
                word(address + section.offset, &$0)
                word(section.size, &$0)
                $0.littleEndian(UInt32(section.offset))
                // Alignment 2^2, no relocations.
                for value: UInt32 in [2, 0, 0, section.flags, 0, 0] { $0.littleEndian(value) }
                if architecture.is64Bit { $0.littleEndian(0 as UInt32) }
            }
        }
    }

    /// A section of `__TEXT`.
    private struct Section {
        let name: String
        let offset: Int
        let size: Int
        let flags: UInt32
    }

    /// Code with the attributes "pure" and "some instructions", then the embedded Info.plist.
    private func textSections(_ layout: MachOLayout) -> [Section] {
        let code = Section(
            name: "__text",
            offset: MachOSlice.codeOffset,
            size: layout.codeSize,
            flags: 0x8000_0400,
        )
        guard information != nil else { return [code] }
        let information = Section(
            name: "__info_plist",
            offset: MachOSlice.codeOffset + layout.codeSize,
            size: layout.informationSize,
            flags: 0,
        )
        return [code, information]
    }

    private var version: [UInt8] {
        if usesLegacyVersion {
            return command(platform == .watchOS ? 0x30 : 0x25) {
                $0.littleEndian(Self.packed(minimumOS))
                $0.littleEndian(Self.packed(sdk))
            }
        }
        return command(0x32) {
            $0.littleEndian(platform.rawValue)
            $0.littleEndian(Self.packed(minimumOS))
            $0.littleEndian(Self.packed(sdk))
            $0.littleEndian(1 as UInt32)
            // One tool: the linker, version 1230.1.
            $0.littleEndian(3 as UInt32)
            $0.littleEndian(0x04ce_0100 as UInt32)
        }
    }

    private func encryptionInfo(_ layout: MachOLayout, _ encryption: UInt32) -> [UInt8] {
        command(architecture.is64Bit ? 0x2c : 0x21) {
            $0.littleEndian(UInt32(MachOSlice.codeOffset))
            $0.littleEndian(UInt32(layout.textSize - MachOSlice.codeOffset))
            $0.littleEndian(encryption)
            if architecture.is64Bit { $0.littleEndian(0 as UInt32) }
        }
    }

    private func library(_ number: UInt32, _ path: String, timestamp: UInt32) -> [UInt8] {
        command(number) {
            $0.littleEndian(24 as UInt32)
            $0.littleEndian(timestamp)
            $0.littleEndian(0x0001_0000 as UInt32)
            $0.littleEndian(0x0001_0000 as UInt32)
            $0.append(path.utf8)
            $0.append([0])
        }
    }

    private func text(_ number: UInt32, _ value: String) -> [UInt8] {
        command(number) {
            $0.littleEndian(12 as UInt32)
            $0.append(value.utf8)
            $0.append([0])
        }
    }

    /// A command with its size set, padded as its width requires.
    private func command(_ number: UInt32, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        writer.littleEndian(number)
        writer.littleEndian(0 as UInt32)
        body(&writer)
        writer.pad(to: architecture.is64Bit ? 8 : 4)
        var size = ByteWriter()
        size.littleEndian(UInt32(writer.count))
        writer.overwrite(at: 4, with: size.bytes)
        return writer.bytes
    }

    private func word(_ value: Int, _ writer: inout ByteWriter) {
        if architecture.is64Bit {
            writer.littleEndian(UInt64(value))
        } else {
            writer.littleEndian(UInt32(value))
        }
    }

    /// Encodes `15.2.1` as 0x000f0201.
    static func packed(_ version: String) -> UInt32 {
        let parts = version.split(separator: ".").map { UInt32($0) ?? 0 } + [0, 0, 0]
        return parts[0] << 16 | (parts[1] & 0xff) << 8 | parts[2] & 0xff
    }
}

extension ByteWriter {
    /// Appends sixteen bytes: the text, then zeroes.
    fileprivate mutating func fixedText(_ text: String) {
        append(text.utf8.prefix(16))
        append(Array(repeating: 0, count: 16 - min(16, text.utf8.count)))
    }
}
