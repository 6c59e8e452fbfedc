import Bytes
import Cryptography
import Foundation
import TestSupport
import Testing

struct DigestTests {
    /// FIPS 180-4 example values for "abc".
    @Test(arguments: [
        (DigestAlgorithm.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                + "8086072ba1e7cc2358baeca134c825a7",
        ),
    ])
    func `a digest is the published one`(algorithm: DigestAlgorithm, expected: String) {
        #expect(Hex.encode(algorithm.digest(of: Array("abc".utf8))) == expected)
        #expect(Hex.encode(algorithm.digest(of: Array("xabcx".utf8)[1..<4])) == expected)
        #expect(algorithm.digest(of: "abc".utf8.lazy.map(\.self)).count == algorithm.size)
    }

    @Test func `nothing has a digest too`() {
        #expect(
            SHA256Digest(of: []).description
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
    }

    @Test func `pieces digest like the whole, and a hasher can begin anew`() {
        var generator = SeededGenerator(seed: 7)
        let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let hasher = SHA256Hasher()
        for _ in 0..<2 {
            var position = 0
            while position < bytes.count {
                let end = min(
                    bytes.count,
                    position + Int.random(in: 0...9000, using: &generator),
                )
                hasher.update(bytes[position..<end])
                position = end
            }
            #expect(hasher.finish() == SHA256Digest(of: bytes))
        }
        #expect(hasher.finish() == SHA256Digest(of: []))
    }

    @Test(
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ]
    )
    func `MD5 is RFC 1321's`(text: String, digest: String) {
        let hasher = DigestHasher.md5()
        for byte in text.utf8 { hasher.update([byte]) }
        #expect(Hex.encode(hasher.finish()) == digest)
    }

    @Test func `a digest is a string in JSON`() throws {
        let digest = SHA256Digest(of: [1, 2, 3])
        let json = try JSONEncoder().encode([digest])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(digest)\"]")
        #expect(try JSONDecoder().decode([SHA256Digest].self, from: json) == [digest])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([SHA256Digest].self, from: Data("[\"00\"]".utf8))
        }
        #expect(SHA256Digest(hex: digest.description.uppercased()) == digest)
        #expect(SHA256Digest(hex: digest.description.dropLast()) == nil)
        #expect(SHA256Digest(bytes: digest.bytes) == digest)
        #expect(SHA256Digest(bytes: [0]) == nil)
    }

    /// RFC 4231, test cases 2 and 6.
    @Test func `an authentication code is the published one`() {
        let short = authenticationCode(
            of: Array("what do ya want for nothing?".utf8),
            key: Array("Jefe".utf8),
        )
        #expect(
            Hex.encode(short) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        let long = authenticationCode(
            of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: Array(repeating: 0xaa, count: 131),
        )
        #expect(
            Hex.encode(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        )
        #expect(authenticationCode(of: [], key: []).count == 32)
    }

    @Test func `secrets compare by value`() {
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual([1, 2], [1, 2]))
        #expect(!constantTimeEqual([1, 2], [1, 3]))
        #expect(!constantTimeEqual([1, 2], [1, 2, 3]))
    }

    @Test func `random bytes differ and number as asked`() {
        #expect(randomBytes(0).isEmpty)
        #expect(randomBytes(33).count == 33)
        #expect(randomBytes(16) != randomBytes(16))
    }
}
