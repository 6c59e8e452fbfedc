import Bytes
import Cryptography
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: OpenSSLCommand.isPresent, "openssl is absent"))
struct OpenSSLMessageTests {
    static let content = Array(String(repeating: "<key>content</key>\n", count: 600).utf8)

    @Test(
        arguments: [TestAuthority.rsa, TestAuthority.p256],
        [
            "-outform DER -md sha1", "-outform DER -md sha256 -keyid", "-outform DER -md sha384",
            "-outform DER -noattr", "-outform DER -nosmimecap -md sha1",
            "-outform DER -stream -indef", "-outform DER -stream -indef -noattr -md sha1",
        ],
    )
    func `messages of openssl verify, in basic encoding too`(
        authority: Result<TestAuthority, any Error>,
        form: String,
    ) async throws {
        let authority = try authority.get()
        try await withTemporaryFolder { folder in
            try folder.writeIdentity(authority.signer)
            try folder.write(Self.content, as: "content")
            try OpenSSLCommand.run(
                "cms -sign -binary -nodetach -in content -signer leaf.pem -inkey key.pem "
                    + "-certfile chain.pem -out message \(form)",
                in: folder,
            )
            let bytes = try folder.read("message")
            if form.contains("-stream") { #expect(bytes[1] == 0x80) }
            let verified = try SignedMessage(reading: bytes).verified(
                by: .provisioningProfile,
                anchors: authority.anchors,
                at: TestAuthority.now,
            )
            #expect(verified.content == Self.content)
            #expect((verified.attributes == nil) == form.contains("-noattr"))
            for damaged in SeededDamage.flips(of: bytes, count: 100, seed: 4) {
                let passed = try? SignedMessage(reading: damaged).verified(
                    by: .provisioningProfile,
                    anchors: authority.anchors,
                    at: TestAuthority.now,
                )
                #expect(passed == nil || passed?.content == Self.content)
            }
        }
    }

    @Test(
        arguments: [TestAuthority.rsa, TestAuthority.p256],
        [(false, true), (true, true), (false, false), (true, false)],
    )
    func `openssl verifies our messages`(
        authority: Result<TestAuthority, any Error>,
        form: (isDetached: Bool, hasAttributes: Bool),
    ) async throws {
        let authority = try authority.get()
        for digest in DigestAlgorithm.allCases {
            try await withTemporaryFolder { folder in
                var signer = CMSSigner(authority.signer, digest: digest)
                signer.isDetached = form.isDetached
                signer.hasAttributes = form.hasAttributes
                try folder.write(
                    try signer.sign(Self.content, at: TestAuthority.now),
                    as: "message",
                )
                try folder.write(Self.content, as: "content")
                try OpenSSLCommand.run(
                    "cms -verify -binary -noverify -inform DER -in message -out result"
                        + (form.isDetached ? " -content content" : ""),
                    in: folder,
                )
                #expect(try folder.read("result") == Self.content)
            }
        }
    }

    @Test func `openssl finds our chain trustworthy`() async throws {
        let authority = try TestAuthority.rsa.get()
        try await withTemporaryFolder { folder in
            let message = try CMSSigner(authority.signer).sign(Self.content)
            try folder.write(message, as: "message")
            try folder.write(authority.root.certificate.pem, as: "root.pem")
            try OpenSSLCommand.run(
                "cms -verify -binary -purpose any -attime 1800000000 -CAfile root.pem -inform DER "
                    + "-in message -out result",
                in: folder,
            )
        }
    }

    @Test func `two signers are one too many`() async throws {
        let authority = try TestAuthority.p256.get()
        try await withTemporaryFolder { folder in
            try folder.writeIdentity(authority.signer)
            try folder.write(Self.content, as: "content")
            try folder.write(authority.root.certificate.pem, as: "other.pem")
            try folder.write(authority.root.key.pem, as: "other-key.pem")
            try OpenSSLCommand.run(
                "cms -sign -binary -nodetach -in content -signer leaf.pem -inkey key.pem "
                    + "-signer other.pem -inkey other-key.pem -outform DER -out twice",
                in: folder,
            )
            let message = try SignedMessage(reading: try folder.read("twice"))
            #expect(throws: SignatureRefusal.severalSigners(2)) {
                try message.verified(
                    by: .provisioningProfile,
                    anchors: authority.anchors,
                    at: TestAuthority.now,
                )
            }
        }
    }

    @Test func `a probabilistic RSA signature is refused by its algorithm`() async throws {
        let authority = try TestAuthority.rsa.get()
        try await withTemporaryFolder { folder in
            try folder.writeIdentity(authority.signer)
            try folder.write(Self.content, as: "content")
            try OpenSSLCommand.run(
                "cms -sign -binary -nodetach -in content -signer leaf.pem -inkey key.pem "
                    + "-keyopt rsa_padding_mode:pss -outform DER -out message",
                in: folder,
            )
            let message = try SignedMessage(reading: try folder.read("message"))
            #expect(throws: SignatureRefusal.unsupportedAlgorithm("1.2.840.113549.1.1.10")) {
                try message.verified(
                    by: .provisioningProfile,
                    anchors: authority.anchors,
                    at: TestAuthority.now,
                )
            }
        }
    }
}

extension URL {
    fileprivate func writeIdentity(_ identity: SigningIdentity) throws {
        try write(identity.key.pem, as: "key.pem")
        try write(identity.certificate.pem, as: "leaf.pem")
        try write(identity.chain.pem, as: "chain.pem")
    }
}
