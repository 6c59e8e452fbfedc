import Bytes
import MachOFormat
import Sample
import TestSupport
import Testing

/// A hostile file can only be refused.
@Suite struct MachODamageTests {
    private func program(
        _ adjust: (inout MachOBuilder) -> Void = { _ in }
    ) throws -> [UInt8] {
        var builder = MachOBuilder(named: "demo")
        adjust(&builder)
        return try SignedBinary.bytes([builder])
    }

    private func refusal(of bytes: [UInt8]) -> MalformedBytes? {
        do throws(MalformedBytes) {
            _ = try MachOFile(reading: bytes)
            return nil
        } catch {
            return error
        }
    }

    /// The offset of the first command with this number.
    private func command(_ number: UInt32, in bytes: [UInt8]) throws -> Int {
        var reader = ByteReader(bytes)
        try reader.seek(to: 32, "commands")
        while true {
            let start = reader.offset
            let found = try reader.littleEndian(UInt32.self, "command")
            if found == number { return start }
            let size = Int(try reader.littleEndian(UInt32.self, "size"))
            try reader.seek(to: start + size, "command")
        }
    }

    @Test func `a big-endian file, and anything else, is refused by its magic`() throws {
        var bytes = try program()
        for (magic, found) in [
            (0xfeed_face, "big-endian"), (0xfeed_facf, "big-endian"),
            (0x7f45_4c46, "0x464c457f"), (0xbeba_feca, "0xcafebabe"),
        ] as [(UInt32, String)] {
            bytes.put(magic, at: 0)
            #expect(refusal(of: bytes)?.reason == .unexpected(found: found))
        }
        #expect(refusal(of: [])?.reason == .truncated(needed: 4, available: 0))
    }

    @Test func `every prefix is refused`() throws {
        let bytes = try program { $0.runPaths = ["@executable_path/Frameworks"] }
        let header = try #require(try MachOFile(reading: bytes).slices.first).header
        let interesting = Array(0...header.size + header.commandBytes + 64)
        let sampled = stride(from: interesting.count, to: bytes.count, by: 97)
        for count in interesting + Array(sampled) {
            #expect(refusal(of: Array(bytes[..<count])) != nil, "\(count) bytes")
        }
    }

    @Test func `every prefix of a universal file's headers is refused`() throws {
        let builders = [Architecture.armv7, .arm64].map {
            MachOBuilder(named: "fat", architecture: $0)
        }
        let bytes = try SignedBinary.bytes(builders)
        for count in Array(0...64) + Array(stride(from: 64, to: bytes.count, by: 211)) {
            #expect(refusal(of: Array(bytes[..<count])) != nil, "\(count) bytes")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `flipped headers never trap, and what they claim stays inside the file`(
        seed: UInt64
    ) throws {
        let builders = [Architecture.armv7, .arm64].map {
            MachOBuilder(named: "fat", architecture: $0)
        }
        for bytes in [try SignedBinary.bytes(builders), try program()] {
            var generator = SeededGenerator(seed: seed)
            let starts = try MachOFile(reading: bytes).slices.map(\.range.lowerBound)
            let places =
                Array(0..<48)
                + starts.flatMap { start in Array(start..<start + 900) }
            for _ in 0..<3000 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let place = places.randomElement(using: &generator) ?? 0
                    damaged[place] = UInt8.random(in: 0...255, using: &generator)
                }
                guard let file = try? MachOFile(reading: damaged) else { continue }
                for slice in file.slices {
                    #expect(slice.range.upperBound <= damaged.count)
                    for segment in slice.segments {
                        #expect(segment.fileRange.upperBound <= slice.range.count)
                    }
                    if let place = slice.signatureRange {
                        #expect(slice.signatureBytes?.count == place.count)
                        #expect(place.upperBound <= slice.range.upperBound)
                    }
                }
            }
        }
    }

    @Test func `counts and sizes beyond all reason are refused where they stand`() throws {
        let bytes = try program()
        for (offset, value) in [(16, 10_001), (20, 1 << 20 + 1), (20, .max)] as [(Int, UInt32)] {
            var damaged = bytes
            damaged.putLittle(value, at: offset)
            #expect(refusal(of: damaged)?.offset == offset)
        }
        var damaged = bytes
        damaged.putLittle(.max, at: 36)
        #expect(refusal(of: damaged)?.offset == 36)
        damaged.putLittle(7, at: 36)
        #expect(refusal(of: damaged)?.offset == 36)
    }

    @Test func `a segment may not wrap around, leave the file or hold too many sections`() throws {
        let bytes = try program()
        // `__TEXT` follows `__PAGEZERO`: the high words of its address and memory size, then of its file
        // offset and file size, then its section count.
        let text = 32 + 72
        for changes in [
            [28: .max, 36: .max], [44: .max], [48: .max], [52: .max], [64: 2], [64: .max],
        ] as [[Int: UInt32]] {
            var damaged = bytes
            for (offset, value) in changes { damaged.putLittle(value, at: text + offset) }
            #expect(refusal(of: damaged) != nil, "\(changes)")
        }
    }

    @Test func `a signature may not lie in the header, outside or twice`() throws {
        let bytes = try program()
        let place = try command(0x1d, in: bytes)
        for (offset, size) in [
            (0, 16), (40, 64), (UInt32(bytes.count), 1), (.max, .max), (0x4000, .max),
        ] as [(UInt32, UInt32)] {
            var damaged = bytes
            damaged.putLittle(offset, at: place + 8)
            damaged.putLittle(size, at: place + 12)
            #expect(refusal(of: damaged)?.offset == place + 8, "\(offset) \(size)")
        }
        // LC_SOURCE_VERSION has the size of LC_CODE_SIGNATURE.
        var damaged = bytes
        let other = try command(0x2a, in: bytes)
        damaged.replaceSubrange(other..<other + 16, with: bytes[place..<place + 16])
        #expect(refusal(of: damaged)?.reason == .invalid("appears twice"))
    }

    @Test func `a library's name may not lie in the fields, outside or have no end`() throws {
        let bytes = try program()
        let place = try command(0x0c, in: bytes)
        for offset in [0, 8, 23, 4000, .max] as [UInt32] {
            var damaged = bytes
            damaged.putLittle(offset, at: place + 8)
            #expect(refusal(of: damaged)?.field == "library name")
        }
        var damaged = bytes
        let size = Int(bytes[place + 4])
        for index in place + 24..<place + size { damaged[index] = 0x41 }
        #expect(refusal(of: damaged)?.reason == .invalid("does not end with a zero"))
    }

    @Test func `slices may not overlap, repeat, leave the file or lie about the processor`()
        throws
    {
        let builders = [Architecture.armv7, .arm64].map {
            MachOBuilder(named: "fat", architecture: $0)
        }
        let bytes = try SignedBinary.bytes(builders)
        let second = 28
        func refused(_ changes: [(Int, UInt32)]) -> MalformedBytes? {
            var damaged = bytes
            for (offset, value) in changes { damaged.put(value, at: offset) }
            return refusal(of: damaged)
        }
        #expect(refused([(4, 0)])?.field == "slice count")
        #expect(refused([(4, 17)])?.field == "slice count")
        #expect(refused([(second, 12), (second + 4, 9)])?.offset == second)
        #expect(refused([(second + 8, 0x4000)])?.offset == second)
        #expect(refused([(second + 8, 0)])?.field == "slice range")
        #expect(refused([(second + 8, .max)])?.field == "slice range")
        #expect(refused([(second + 12, .max)])?.field == "slice range")
        #expect(refused([(second + 12, 0)])?.field == "slice range")
        #expect(refused([(second + 16, 31)])?.field == "slice alignment")
        #expect(refused([(second + 16, 15), (second + 8, 0x1_4000)]) != nil)
        #expect(refused([(second + 4, 2)])?.field == "processor type")
        #expect(refused([(0x4000, 0xcafe_babe)])?.offset == 0x4000)
    }
}
