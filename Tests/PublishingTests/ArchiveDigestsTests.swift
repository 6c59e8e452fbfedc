import Bytes
import Cryptography
import Publishing
import Releases
import Testing

struct ArchiveDigestsTests {
    @Test(arguments: [0, 1, 5_000_000, 10 << 20, (10 << 20) + 1, 20 << 20, 25_000_000])
    func `pieces and whole agree with digests taken one by one`(count: Int) throws {
        let tile = (0..<99_991).map { UInt8(truncatingIfNeeded: $0 &* 131 >> 3) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += tile.prefix(count - bytes.count) }
        let digests = try ArchiveDigests(of: MemorySource(bytes))
        #expect(digests.size == count)
        #expect(digests.sha256 == SHA256Digest(of: bytes))
        let expected = stride(from: 0, to: count, by: 10 << 20).map {
            SHA256Digest(of: bytes[$0..<min($0 + (10 << 20), count)])
        }
        #expect(digests.chunks.digests == expected)
        #expect(digests.chunks.size == 10 << 20)
    }
}
