import Cryptography
import Foundation
import TestSupport
import Testing

struct MessageDamageTests {
    static let content = Array("<plist><string>content</string></plist>".utf8)

    static func message(_ adjust: (inout CMSSigner) -> Void = { _ in }) throws -> [UInt8] {
        var signer = CMSSigner(try TestAuthority.p256.get().signer)
        adjust(&signer)
        return try signer.sign(content, at: TestAuthority.now)
    }

    static func verified(_ bytes: [UInt8]) throws -> VerifiedMessage {
        try SignedMessage(reading: bytes).verified(
            by: .provisioningProfile,
            anchors: try TestAuthority.p256.get().anchors,
            at: TestAuthority.now,
        )
    }

    @Test func `every bit of content, attributes and signature counts`() throws {
        let bytes = try Self.message()
        let message = try SignedMessage(reading: bytes)
        let signer = try #require(message.signers.first)
        let attributes = try #require(signer.attributes).signedBytes.dropFirst(2)
        for part in [Self.content[...], attributes, signer.signature[...]] {
            let range = try #require(bytes.firstRange(of: part))
            for index in range {
                // One bit of each byte, and all of them in the long run.
                for bit in TestDepth.samples(1, long: 8) == 1 ? [index % 8] : Array(0..<8) {
                    var damaged = bytes
                    damaged[index] ^= 1 << bit
                    #expect(throws: (any Error).self) { try Self.verified(damaged) }
                }
            }
        }
    }

    @Test func `damage anywhere changes neither the content nor the signer of what passes`() throws
    {
        let bytes = try Self.message()
        let original = try Self.verified(bytes)
        for damaged in SeededDamage.flips(
            of: bytes,
            count: TestDepth.samples(500, long: 40_000),
            seed: 1,
        ) {
            guard let verified = try? Self.verified(damaged) else { continue }
            #expect(verified.content == original.content)
            #expect(verified.signer == original.signer)
            #expect(verified.attributes == original.attributes)
        }
    }

    @Test func `no prefix is a message`() throws {
        for prefix in SeededDamage.prefixes(of: try Self.message()) {
            #expect(throws: MalformedMessage.self) { try SignedMessage(reading: prefix) }
        }
    }

    @Test func `bytes after a message are refused`() throws {
        let bytes = try Self.message()
        #expect(throws: MalformedMessage.self) { try SignedMessage(reading: bytes + [0]) }
        #expect(throws: MalformedMessage.self) { try SignedMessage(reading: bytes + bytes) }
    }

    @Test func `nesting is bounded`() {
        for opening in [[0x30, 0x80], [0xa0, 0x80], [0x24, 0x80]] as [[UInt8]] {
            let deep = Array(repeatElement(opening, count: 10_000).joined())
            #expect(throws: MalformedMessage.self) {
                try SignedMessage(reading: [0x30, 0x80] + deep)
            }
            let closed = deep + [UInt8](repeating: 0, count: deep.count)
            #expect(throws: MalformedMessage.self) {
                try SignedMessage(reading: [0x30, 0x80] + closed + [0, 0])
            }
        }
        var definite: [UInt8] = []
        for _ in 0..<2000 { definite = DERBytes.sequence(definite) }
        #expect(throws: MalformedMessage.self) { try SignedMessage(reading: definite) }
    }

    @Test func `size, elements and certificates are bounded`() throws {
        let bytes = try Self.message()
        #expect(throws: MalformedMessage.tooLarge(limit: 100)) {
            try SignedMessage(reading: bytes, limits: .init(bytes: 100))
        }
        #expect(throws: MalformedMessage.tooManyElements(limit: 50)) {
            try SignedMessage(reading: bytes, limits: .init(bytes: 1 << 20, elements: 50))
        }
        #expect(throws: MalformedMessage.tooManyCertificates(limit: 2)) {
            try SignedMessage(reading: bytes, limits: .init(bytes: 1 << 20, certificates: 2))
        }
        let crowd = DERBytes.element(
            0x30,
            [UInt8](repeating: 5, count: 0)
                + Array(repeatElement([0x05, 0x00] as [UInt8], count: 1 << 20).joined()),
        )
        #expect(throws: MalformedMessage.tooManyElements(limit: 20_000)) {
            try SignedMessage(reading: crowd)
        }
        // Elements are counted even if the length is encoded in eight bytes, which the parser reads too.
        let content = Array(repeatElement([0x05, 0x00] as [UInt8], count: 30_000).joined())
        let length = (0..<8).map { UInt8(truncatingIfNeeded: content.count >> (56 - 8 * $0)) }
        #expect(throws: MalformedMessage.tooManyElements(limit: 20_000)) {
            try SignedMessage(reading: [0x30, 0x88] + length + content)
        }
    }

    @Test func `an attribute that appears twice is refused`() throws {
        let again = CMSSigner.Attribute(.contentType, [DERBytes.objectIdentifier(.data)])
        let bytes = try Self.message { $0.extraAttributes = [again] }
        #expect(throws: MalformedMessage.repeatedAttribute(.contentType)) {
            try SignedMessage(reading: bytes)
        }
    }

    @Test func `other documents are not signed messages`() {
        let documents: [[UInt8]] = [
            [], Array("<?xml".utf8), Array("bplist00".utf8), [0x30], [0x30, 0x00], [0x30, 0x80],
            [0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
            [
                0x30, 0x88, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xff, 0xff,
            ], TrustAnchors.apple.certificates[0].der,
        ]
        for document in documents {
            #expect(throws: MalformedMessage.self) { try SignedMessage(reading: document) }
        }
    }
}
