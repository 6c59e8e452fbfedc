import Cryptography
import Foundation
import Provenance
import TestSupport
import Testing

/// DSSE envelopes, verified by this code and by OpenSSL.
struct SignedEnvelopeTests {
    private let payload = Array(#"{"a": "ü"}"#.utf8)

    @Test func `what was signed comes back with the key, and with no other`() throws {
        let key = try PrivateKey.generate(.p256)
        let envelope = try SignedEnvelope(signing: payload, type: "text/x", with: key)
        let read = try SignedEnvelope(json: envelope.json())
        #expect(read == envelope)
        #expect(try read.payload(provenBy: PublicKey(of: key)) == payload)
        let other = PublicKey(of: try PrivateKey.generate(.p256))
        #expect {
            try read.payload(provenBy: other)
        } throws: { ($0 as? ProvenanceRefusal)?.id == "provenance.other-key" }
        #expect(try PublicKey(pem: PublicKey(of: key).pem) == PublicKey(of: key))
    }

    @Test func `no byte of an envelope can be changed unseen`() throws {
        let key = try PrivateKey.generate(.p256)
        let json = try SignedEnvelope(signing: payload, type: "text/x", with: key).json()
        let seed: UInt64 = 21
        for damaged in SeededDamage.flips(of: json, count: 400, seed: seed) {
            guard let envelope = try? SignedEnvelope(json: damaged),
                let proven = try? envelope.payload(provenBy: PublicKey(of: key))
            else { continue }
            #expect(proven == payload && envelope.payloadType == "text/x", "seed \(seed)")
        }
        for prefix in SeededDamage.prefixes(of: json.dropLast(2)) {
            #expect(throws: ProvenanceRefusal.self) { try SignedEnvelope(json: prefix) }
        }
    }

    @Test func `OpenSSL proves the same signature`() async throws {
        let program = Program(path: "/usr/bin/openssl")
        try #require(FileManager.default.isExecutableFile(atPath: program.path))
        try await withTemporaryFolder { folder in
            let key = try PrivateKey.generate(.p256)
            let envelope = try SignedEnvelope(signing: payload, type: "text/x", with: key)
            let message = Array("DSSEv1 6 text/x \(payload.count) ".utf8) + payload
            try Data(message).write(to: folder.appending(path: "message"))
            try Data(PublicKey(of: key).pem.utf8).write(to: folder.appending(path: "key.pem"))
            let signature = try #require(envelope.signatures.first)
            try signature.sig.write(to: folder.appending(path: "signature"))
            let outcome = try await program.run(
                ["dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "message"],
                in: folder,
            )
            #expect(outcome.output == "Verified OK\n", "\(outcome.errors)")
        }
    }
}
