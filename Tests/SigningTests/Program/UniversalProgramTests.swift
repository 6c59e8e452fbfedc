import Bytes
import MachOFormat
import Sample
import Signing
import Testing

@Suite struct UniversalProgramTests {
    private static func slices(
        _ architectures: [Architecture]
    ) throws -> [(architecture: Architecture, bytes: [UInt8])] {
        try architectures.enumerated().map { index, architecture in
            let bytes = try ProgramSignerTests.unsigned(
                .executable,
                architecture,
                extraCode: 20_000 * index,
            )
            return (architecture, bytes)
        }
    }

    @Test(arguments: [
        [Architecture.armv7, .arm64], [.arm64, .arm64e], [.armv7k, .arm64_32, .arm64],
    ])
    func `each slice is signed by itself, in its place`(architectures: [Architecture]) throws {
        let program = UniversalBinary.joining(try Self.slices(architectures))
        let signed = try Signed.bytes(of: program)
        let slices = try Signed.slices(of: signed)
        #expect(slices.count == architectures.count)
        let before = try #require(try MachOFile(reading: program).universal)
        let after = try #require(try MachOFile(reading: signed).universal)
        #expect(after.entries.map(\.processorNumbers) == before.entries.map(\.processorNumbers))
        #expect(after.entries.map(\.alignmentLog2) == before.entries.map(\.alignmentLog2))
        #expect(after.entries.last?.range.upperBound == signed.count)
        let again = try Signed.bytes(of: signed)
        #expect(again.count == signed.count)
        #expect(try MachOFile(reading: again).universal == after)
    }

    @Test(arguments: [false, true])
    func `a table in 64 bits, and one in another order than the file, stay so`(
        isReversed: Bool
    ) throws {
        let slices = try Self.slices([.arm64, .arm64e])
        let program = Self.joining64(slices, isReversed: isReversed)
        let signed = try Signed.bytes(of: program)
        _ = try Signed.slices(of: signed)
        let table = try #require(try MachOFile(reading: signed).universal)
        #expect(table.is64Bit)
        #expect(
            table.entries.map(\.processor) == (isReversed ? [.arm64e, .arm64] : [.arm64, .arm64e])
        )
        let starts = table.entries.map(\.range.lowerBound)
        #expect(starts.sorted() == (isReversed ? starts.reversed() : starts))
    }

    private static func joining64(
        _ slices: [(architecture: Architecture, bytes: [UInt8])],
        isReversed: Bool,
    ) -> [UInt8] {
        let narrow = UniversalBinary.joining(slices)
        var writer = ByteWriter()
        writer.bigEndian(0xcafe_babf as UInt32)
        writer.bigEndian(UInt32(slices.count))
        let entries = slices.indices.map { index -> [UInt8] in
            let entry = Array(narrow[8 + 20 * index..<28 + 20 * index])
            let zeroes: [UInt8] = [0, 0, 0, 0]
            return entry[..<8] + zeroes + entry[8..<12] + zeroes + entry[12..<16]
                + entry[16..<20] + zeroes
        }
        for entry in isReversed ? entries.reversed() : entries { writer.append(entry) }
        return writer.bytes + narrow.dropFirst(writer.count)
    }

    @Test func `one old slice gives every slice both digests`() throws {
        var slices = try Self.slices([.armv7])
        slices[0].bytes = try ProgramSignerTests.unsigned(.executable, .armv7) {
            $0.minimumOS = "9.0"
        }
        slices += try Self.slices([.arm64])
        let signed = try Signed.bytes(of: UniversalBinary.joining(slices))
        for slice in try Signed.slices(of: signed) {
            #expect(try slice.signature()?.directories.count == 2)
        }
    }

    @Test func `bytes between slices and behind the last are refused, zeroes are not`() throws {
        let program = UniversalBinary.joining(try Self.slices([.armv7, .arm64]))
        let table = try #require(try MachOFile(reading: program).universal)
        let places = [table.size, 0x3fff, table.entries[1].range.lowerBound - 1]
        for place in places where program[place] == 0 {
            var damaged = program
            damaged[place] = 1
            #expect(throws: SigningRefusal.program(.bytesBetweenSlices, at: "Demo")) {
                try Signed.bytes(of: damaged)
            }
        }
        #expect(throws: SigningRefusal.program(.bytesBetweenSlices, at: "Demo")) {
            try Signed.bytes(of: program + [1])
        }
        let padded = try Signed.bytes(of: program + [0, 0])
        #expect(padded.count == (try Signed.bytes(of: program)).count)
    }
}
