import Bytes
import Cryptography
import Foundation
import TestSupport
import Testing

struct PrivateKeyTests {
    @Test(arguments: [(PrivateKey.Recipe.p256, "EC P-256"), (.rsa2048, "RSA 2048")])
    func `a key survives its PEM form`(recipe: PrivateKey.Recipe, kind: String) throws {
        let key = try PrivateKey.generate(recipe)
        let copy = try PrivateKey(pem: key.pem)
        #expect(copy.der == key.der)
        #expect(copy.kind.description == kind)
        #expect(copy.publicKey == key.publicKey)
    }

    @Test(.enabled(if: OpenSSLCommand.isPresent, "openssl is absent"))
    func `keys in the older forms are read, encrypted and foreign ones refused`() async throws {
        try await withTemporaryFolder { folder in
            let read = { (name: String) in
                try PrivateKey(pem: String(decoding: try folder.read(name), as: UTF8.self))
            }
            for command in [
                "genrsa -traditional -out rsa.pem 2048",
                "ecparam -name prime256v1 -genkey -out ec.pem",
                "rsa -in rsa.pem -traditional -aes128 -passout pass:x -out rsa-locked.pem",
                "pkcs8 -topk8 -in ec.pem -passout pass:x -out ec-locked.pem",
                "genpkey -algorithm ed25519 -out ed.pem",
            ] {
                try OpenSSLCommand.run(command, in: folder)
            }
            #expect(try read("rsa.pem").kind == .rsa(bits: 2048))
            #expect(try read("ec.pem").kind == .ellipticCurve("P-256"))
            #expect(throws: MalformedKey.encrypted) { try read("rsa-locked.pem") }
            #expect(throws: MalformedKey.encrypted) { try read("ec-locked.pem") }
            #expect(throws: MalformedKey.unsupported(.other("ED25519"))) { try read("ed.pem") }
        }
    }

    @Test(
        .enabled(if: OpenSSLCommand.isPresent, "openssl is absent"),
        arguments: [PrivateKey.Recipe.p256, .rsa2048],
        DigestAlgorithm.allCases,
    )
    func `openssl verifies a signature`(
        recipe: PrivateKey.Recipe,
        digest: DigestAlgorithm,
    ) async throws {
        let key = try PrivateKey.generate(recipe)
        try await withTemporaryFolder { folder in
            try folder.write(PEM.text("PUBLIC KEY", key.publicKey), as: "key.pem")
            try folder.write("message", as: "m")
            try folder.write(try key.sign(Array("message".utf8), digest: digest), as: "s")
            try OpenSSLCommand.run(
                "dgst -\(digest.rawValue) -verify key.pem -signature s m",
                in: folder,
            )
        }
    }

    @Test func `text without a key is refused`() throws {
        #expect(throws: MalformedKey.noKeyInText) { try PrivateKey(pem: "") }
        #expect(throws: MalformedKey.noKeyInText) {
            try PrivateKey(pem: TrustAnchors.apple.certificates.pem)
        }
        #expect(throws: MalformedKey.self) {
            try PrivateKey(pem: PEM.text("PRIVATE KEY", [1, 2]))
        }
    }

    @Test func `damaged keys never trap`() throws {
        let key = try PrivateKey.generate(.p256)
        for prefix in SeededDamage.prefixes(of: key.der) {
            #expect(throws: MalformedKey.self) { try PrivateKey(der: prefix) }
        }
        for damaged in SeededDamage.flips(of: key.der, count: 500, seed: 3) {
            _ = try? PrivateKey(der: damaged).sign([1])
        }
    }
}
