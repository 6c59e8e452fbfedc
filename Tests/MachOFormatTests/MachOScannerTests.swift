import Bytes
import MachOFormat
import Sample
import TestSupport
import Testing

@Suite struct MachOScannerTests {
    @Test(arguments: [1, 3, 7, 4096, 16_384, 1_000_000])
    func `pieces of any size give the same file`(size: Int) throws {
        let builders = [Architecture.armv7, .arm64].map {
            MachOBuilder(named: "fat", architecture: $0)
        }
        let bytes = try SignedBinary.bytes(builders)
        let whole = try MachOFile(reading: bytes)
        var scanner = MachOScanner(fileSize: bytes.count)
        var raw = MachOScanner(fileSize: bytes.count)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            scanner.take(piece)
            unsafe piece.withUnsafeBytes { unsafe raw.take($0) }
            let known = scanner.sliceRanges
            for range in whole.slices.map(\.range) where range.lowerBound < piece.endIndex {
                #expect(known.contains(range))
            }
        }
        for file in [try scanner.finish(), try raw.finish()] {
            #expect(file.universal == whole.universal)
            #expect(file.slices.map(\.commands) == whole.slices.map(\.commands))
            #expect(file.slices.map(\.signatureBytes) == whole.slices.map(\.signatureBytes))
        }
    }

    @Test func `damage is named at the end and the flow goes on`() throws {
        var bytes = try SignedBinary.bytes([MachOBuilder(named: "demo")])
        bytes.putLittle(3, at: 36)
        var scanner = MachOScanner(fileSize: bytes.count)
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            scanner.take(bytes[start..<min(start + 1000, bytes.count)])
        }
        #expect(scanner.position == bytes.count)
        #expect(scanner.sliceRanges == [])
        #expect(throws: MalformedBytes.self) { try scanner.finish() }
    }

    @Test func `signatures that are too large together are given up before they are read`() throws {
        let builders = [Architecture.armv7, .arm64].map {
            MachOBuilder(named: "fat", architecture: $0)
        }
        var bytes = try SignedBinary.bytes(builders)
        let file = try MachOFile(reading: bytes)
        let last = try #require(file.slices.last)
        let place = try #require(last.signatureRange)
        // The second slice claims the largest allowed signature, and the first one has a signature already.
        let claimed = MachOLimits.signatureBytes
        let command = try #require(
            stride(from: last.range.lowerBound, to: place.lowerBound, by: 4).first {
                bytes[$0..<$0 + 8].elementsEqual([0x1d, 0, 0, 0, 16, 0, 0, 0])
            }
        )
        bytes.putLittle(UInt32(claimed), at: command + 12)
        let end = place.lowerBound + claimed
        bytes.put(UInt32(end - last.range.lowerBound), at: 8 + 20 + 12)
        var scanner = MachOScanner(fileSize: end)
        scanner.take(bytes[..<place.lowerBound])
        #expect(scanner.hasOversizedSignatures)
        do throws(MalformedBytes) {
            _ = try scanner.finish()
            Issue.record("a file with too much of a signature was read")
        } catch {
            #expect(error.field == "signature")
        }
    }

    @Test func `a flow that ends early names what was missing`() throws {
        let bytes = try SignedBinary.bytes([MachOBuilder(named: "demo")])
        var scanner = MachOScanner(fileSize: bytes.count)
        scanner.take(bytes.dropLast())
        do throws(MalformedBytes) {
            _ = try scanner.finish()
            Issue.record("a file without its last byte was read")
        } catch {
            #expect(error.field == "signature")
        }
    }
}
