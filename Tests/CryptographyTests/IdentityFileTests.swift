import Bytes
import Cryptography
import Foundation
import TestSupport
import Testing

/// The formats in which Keychain Access, OpenSSL and people store a private key.
@Suite(.enabled(if: OpenSSLCommand.isPresent, "openssl is absent"))
struct IdentityFileTests {
    private let authority = try? TestAuthority.p256.get()

    private func inFolder(_ body: (URL, SigningIdentity) throws -> Void) async throws {
        let signer = try #require(authority).signer
        let above = try #require(authority).intermediate
        try await withTemporaryFolder { folder in
            try folder.write(signer.key.pem, as: "key.pem")
            try folder.write(signer.certificate.pem, as: "leaf.pem")
            try folder.write([above.certificate].pem, as: "above.pem")
            try body(folder, signer)
        }
    }

    private func read(
        _ bytes: [UInt8],
        _ passphrase: String? = nil,
    ) throws(MalformedIdentity) -> [SigningIdentity] {
        try IdentityFile(reading: bytes, passphrase: passphrase).identities
    }

    @Test(arguments: ["", " -legacy", " -legacy -certpbe PBE-SHA1-RC2-40", " -nomac"])
    func `every way in which a p12 is exported is read`(option: String) async throws {
        try await inFolder { folder, signer in
            try OpenSSLCommand.run(
                "pkcs12 -export -inkey key.pem -in leaf.pem -certfile above.pem "
                    + "-passout pass:secret -out id.p12" + option,
                in: folder,
            )
            let file = try folder.read("id.p12")
            let identity = try #require(try read(file, "secret").first)
            #expect(identity.certificate == signer.certificate)
            #expect(identity.key.der == signer.key.der)
            #expect(identity.chain == Array(signer.chain.prefix(1)))
            #expect(throws: MalformedIdentity.passphraseNeeded) { try read(file) }
            #expect(throws: MalformedIdentity.wrongPassphrase) { try read(file, "Secret") }
            if option != " -nomac" {
                #expect(throws: MalformedIdentity.emptyPassphrase) { try read(file, "") }
            }
        }
    }

    @Test func `a p12 with an empty passphrase needs none`() async throws {
        try await inFolder { folder, signer in
            try OpenSSLCommand.run(
                "pkcs12 -export -inkey key.pem -in leaf.pem -passout pass: -out id.p12",
                in: folder,
            )
            let file = try folder.read("id.p12")
            for none in [nil, ""] as [String?] {
                #expect(try read(file, none).map(\.certificate) == [signer.certificate])
            }
            #expect(throws: MalformedIdentity.wrongPassphrase) { try read(file, "secret") }
        }
    }

    @Test(arguments: [
        ("-nokeys -in leaf.pem", MalformedIdentity.noKey),
        ("-nocerts -inkey key.pem", .noCertificate),
    ])
    func `a p12 that lacks something is refused by name`(
        options: String,
        refusal: MalformedIdentity,
    ) async throws {
        try await inFolder { folder, _ in
            try OpenSSLCommand.run(
                "pkcs12 -export \(options) -passout pass:secret -out id.p12",
                in: folder,
            )
            let file = try folder.read("id.p12")
            #expect(throws: refusal) { try read(file, "secret") }
        }
    }

    @Test(arguments: ["", " -nomac"])
    func `a p12 that asks for millions of rounds is refused before the first`(
        option: String
    ) async throws {
        try await inFolder { folder, _ in
            try OpenSSLCommand.run(
                "pkcs12 -export -inkey key.pem -in leaf.pem -iter 65536 -passout pass:secret "
                    + "-out id.p12" + option,
                in: folder,
            )
            // The iteration count as an INTEGER, and another one of the same length.
            let file = Data(try folder.read("id.p12"))
            let count = Data([2, 3, 1, 0, 0])
            let bomb = [UInt8](file.replacing(count, with: [2, 3, 0x7f, 0xff, 0xff]))
            #expect(bomb.count == file.count && bomb != [UInt8](file))
            #expect(throws: MalformedIdentity.tooCostly(limit: 5_000_000)) {
                try read(bomb, "secret")
            }
        }
    }

    @Test func `PEM with key and certificates is read in any order, encrypted or not`()
        async throws
    {
        try await inFolder { folder, signer in
            for command in [
                "pkcs8 -topk8 -in key.pem -passout pass:secret -out pkcs8.pem",
                "pkcs8 -topk8 -scrypt -in key.pem -passout pass:secret -out scrypt.pem",
                "ec -in key.pem -aes128 -passout pass:secret -out old.pem",
            ] {
                try OpenSSLCommand.run(command, in: folder)
            }
            let (leaf, above) = (try folder.read("leaf.pem"), try folder.read("above.pem"))
            let plain = try read(above + (try folder.read("key.pem")) + leaf, "unasked")
            #expect(plain.map(\.certificate) == [signer.certificate])
            #expect(plain.first?.chain == Array(signer.chain.prefix(1)))
            for name in ["pkcs8.pem", "scrypt.pem", "old.pem"] {
                let file = try folder.read(name) + leaf
                let found = try read(file, "secret")
                #expect(found.first?.key.der == signer.key.der, "\(name)")
                #expect(throws: MalformedIdentity.passphraseNeeded) { try read(file) }
                #expect(throws: MalformedIdentity.emptyPassphrase) { try read(file, "") }
                #expect(throws: MalformedIdentity.wrongPassphrase) { try read(file, "Secret") }
            }
            #expect(throws: MalformedIdentity.noKey) { try read(leaf) }
            let key = try folder.read("key.pem")
            #expect(throws: MalformedIdentity.noCertificate) { try read(key) }
            #expect(throws: MalformedIdentity.noCertificate) { try read(key + above) }
        }
    }

    @Test func `several identities of a file are all found`() throws {
        let authority = try #require(authority)
        let other = try authority.intermediate.issuing("Other", serial: 9)
        let file = Array((authority.signer.pem + other.pem).utf8)
        let found = try read(file)
        #expect(found.map(\.certificate) == [authority.signer.certificate, other.certificate])
        #expect(found.allSatisfy { $0.chain.count == 2 })
    }

    @Test func `what is no identity is told apart, and damage never traps`() async throws {
        let certificate = TrustAnchors.apple.certificates[0].der
        #expect(throws: MalformedIdentity.noKey) { try read(certificate) }
        let key = try #require(authority).signer.key.der
        #expect(throws: MalformedIdentity.noCertificate) { try read(key) }
        for bytes in [[], Array("PK\u{3}\u{4}".utf8)] as [[UInt8]] {
            #expect(throws: MalformedIdentity.unknownFormat) { try read(bytes) }
        }
        let limit = IdentityFile.sizeLimit
        #expect(throws: MalformedIdentity.tooLarge(limit: limit)) {
            try read([UInt8](repeating: 0x30, count: limit + 1))
        }
        let many = String(repeating: TrustAnchors.apple.certificates[0].pem, count: 65)
        #expect(throws: MalformedIdentity.tooManyParts(limit: 64)) { try read(Array(many.utf8)) }
        try await inFolder { folder, _ in
            try OpenSSLCommand.run(
                "pkcs12 -export -nomac -inkey key.pem -in leaf.pem -passout pass:secret -out id.p12",
                in: folder,
            )
            let file = try folder.read("id.p12")
            for damaged in SeededDamage.flips(of: file, count: 100, seed: 7) {
                _ = try? read(damaged, "secret")
            }
            for prefix in SeededDamage.prefixes(of: file) { _ = try? read(prefix, "secret") }
        }
    }
}
