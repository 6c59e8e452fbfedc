import Cryptography
import Foundation
import Testing

struct SealingKeyTests {
    private let key = SealingKey(random: randomBytes)
    private let purpose = SealingPurpose("signing identity", of: "team ABCDE12345")

    @Test func `a sealed secret opens again, also from JSON, and is not in it`() throws {
        for secret in [[], [1], Array("a private key".utf8)] as [[UInt8]] {
            let sealed = key.seal(secret, as: purpose)
            let json = try JSONEncoder().encode(sealed)
            let read = try JSONDecoder().decode(SealedBytes.self, from: json)
            #expect(try key.open(read, as: purpose) == secret)
            #expect(sealed.bytes.count == secret.count + 16)
        }
        let secret = Array("a private key".utf8)
        let (one, two) = (key.seal(secret, as: purpose), key.seal(secret, as: purpose))
        #expect(one.nonce != two.nonce && one.bytes != two.bytes)
        #expect(one.bytes.firstRange(of: Data(secret)) == nil)
    }

    @Test func `another key is named, and what was moved or changed does not open`() throws {
        let sealed = key.seal([1, 2, 3], as: purpose)
        let other = SealingKey(random: randomBytes)
        #expect(
            throws: SealRefusal.otherKey(
                purpose,
                sealedWith: key.identifier,
                given: other.identifier,
            )
        ) { try other.open(sealed, as: purpose) }
        let places = [
            SealingPurpose("signing identity", of: "team ABCDE12346"),
            SealingPurpose("API key", of: "team ABCDE12345"),
            // The parts are prefixed with their lengths, so no byte can move from one to the next.
            SealingPurpose("signing identityt", of: "eam ABCDE12345"),
        ]
        for place in places {
            #expect(throws: SealRefusal.damaged(place)) { try key.open(sealed, as: place) }
        }
        let text = try String(decoding: JSONEncoder().encode(sealed), as: UTF8.self)
        let base64 = sealed.bytes.base64EncodedString()
        for bytes in [
            Data(), sealed.bytes.dropLast(), sealed.bytes + [0], Data(repeating: 0, count: 19),
        ] {
            let changed = text.replacing(
                base64.replacing("/", with: "\\/"),
                with: bytes.base64EncodedString(),
            )
            let read = try JSONDecoder().decode(SealedBytes.self, from: Data(changed.utf8))
            #expect(read != sealed)
            #expect(throws: SealRefusal.damaged(purpose)) { try key.open(read, as: purpose) }
        }
    }

    @Test func `a key survives its file, and its identifier tells it from others`() throws {
        let copy = try #require(SealingKey(text: key.text))
        #expect(copy.identifier == key.identifier)
        #expect(key.identifier.utf8.count == 16)
        #expect(!key.text.contains(key.identifier))
        #expect(SealingKey(random: randomBytes).identifier != key.identifier)
        for text in ["", "00", key.text + "00", String(repeating: "g", count: 64)] {
            #expect(SealingKey(text: text) == nil)
        }
        #expect(SealingKey(bytes: [UInt8](repeating: 1, count: 31)) == nil)
    }
}
