import Access
import Cryptography
import Foundation
import Testing

struct PassphraseTests {
    @Test func `the right words match, and no others`() throws {
        let hash = try PassphraseHash("tabs in the dark\n", random: randomBytes)
        for words in ["tabs in the dark", " tabs in the dark ", "tabs in the dark\r\n"] {
            #expect(try hash.matches(words), "\(words)")
        }
        for words in ["", "tabs in the Dark", "tabs in the dar", "tabs  in the dark"] {
            #expect(try !hash.matches(words), "\(words)")
        }
    }

    @Test func `an accent may be typed in two ways`() throws {
        let hash = try PassphraseHash("Überseereisen", random: randomBytes)
        #expect(try hash.matches("U\u{308}berseereisen"))
    }

    @Test func `the same words again are another hash and another generation`() throws {
        let one = try PassphraseHash("tabs in the dark", random: randomBytes)
        let two = try PassphraseHash("tabs in the dark", random: randomBytes)
        #expect(one != two)
        #expect(one.generation != two.generation)
    }

    @Test func `what is stored says nothing of the words and comes back`() throws {
        let hash = try PassphraseHash("tabs in the dark", random: randomBytes)
        let json = try JSONEncoder().encode(hash)
        #expect(!String(decoding: json, as: UTF8.self).contains("tabs"))
        #expect(try JSONDecoder().decode(PassphraseHash.self, from: json) == hash)
    }

    @Test func `short and endless ones are refused`() {
        #expect(throws: PassphraseRefusal.tooShort) {
            try PassphraseHash("eleven 1234  ", random: randomBytes)
        }
        #expect(throws: Never.self) { try PassphraseHash("twelve 12345", random: randomBytes) }
        #expect(throws: PassphraseRefusal.tooLong) {
            try PassphraseHash(String(repeating: "x", count: 1025), random: randomBytes)
        }
    }

    /// RFC 7914, section 12.
    @Test func `a stretched key is the one of the specification`() throws {
        let cost = try JSONDecoder().decode(
            StretchedKey.Cost.self,
            from: Data(#"{"cost": 16384, "blocks": 8}"#.utf8),
        )
        let key = StretchedKey.bytes(
            of: Array("pleaseletmein".utf8),
            salt: Array("SodiumChloride".utf8),
            cost: cost,
        )
        #expect(
            key?.map { String(format: "%02x", $0) }.joined()
                == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        )
    }

    @Test(arguments: [(1000, 8), (1 << 21, 8), (1 << 15, 0), (1 << 15, 1000)])
    func `a cost out of bounds makes no key`(cost: Int, blocks: Int) throws {
        let text = Data(#"{"cost": \#(cost), "blocks": \#(blocks)}"#.utf8)
        let cost = try JSONDecoder().decode(StretchedKey.Cost.self, from: text)
        #expect(StretchedKey.bytes(of: [1], salt: [2], cost: cost) == nil)
    }
}
