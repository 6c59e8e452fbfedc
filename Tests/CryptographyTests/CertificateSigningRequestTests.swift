import Bytes
import Cryptography
import Foundation
import TestSupport
import Testing

/// Certificate signing requests, and the certificate that an authority issues for a key that it does not
/// have.
struct CertificateSigningRequestTests {
    @Test(
        .enabled(if: OpenSSLCommand.isPresent, "openssl is absent"),
        arguments: [PrivateKey.Recipe.p256, .rsa2048],
    )
    func `openssl verifies a request and reads its subject`(recipe: PrivateKey.Recipe) async throws
    {
        let key = try PrivateKey.generate(recipe)
        let request = try CertificateSigningRequest(
            for: key,
            subject: DistinguishedName(commonName: "ota Prüfer", organization: "O", country: "DE"),
        )
        try await withTemporaryFolder { folder in
            try folder.write(request.pem, as: "request.pem")
            try folder.write(PublicKey(of: key).pem, as: "key.pem")
            try OpenSSLCommand.run("req -in request.pem -verify -noout", in: folder)
            let subject = try OpenSSLCommand.text(
                "req -in request.pem -noout -subject -nameopt RFC2253,-esc_msb,utf8",
                in: folder,
            )
            #expect(subject.contains("CN=ota Prüfer,O=O,C=DE"))
            let open = try OpenSSLCommand.text("req -in request.pem -noout -pubkey", in: folder)
            #expect(open == PublicKey(of: key).pem)
        }
    }

    @Test func `a certificate about a public key fits the private one, and no other`() throws {
        let authority = try TestAuthority.p256.get().root
        let key = try PrivateKey.generate(.p256)
        let template = CertificateTemplate(
            subject: DistinguishedName(commonName: "a"),
            serial: [7],
            notBefore: IssuingTests.year.lowerBound,
            notAfter: IssuingTests.year.upperBound,
        )
        let certificate = try template.issued(for: PublicKey(of: key), by: authority)
        #expect(key.matches(certificate))
        #expect(try !PrivateKey.generate(.p256).matches(certificate))
        #expect(certificate.issuer == authority.certificate.subject)
        // The same as for someone with the private key, except for the random part of the signature.
        let whole = try template.issued(for: key, by: authority)
        #expect(whole.extensions.map(\.value) == certificate.extensions.map(\.value))
    }

    @Test func `texts of bytes have no padding and one form`() {
        #expect(Base64URL.text([0xfb, 0xff]) == "-_8")
        #expect(Base64URL.bytes("-_8") == [0xfb, 0xff])
        for bad in ["+/8", "-_8=", "-_9", "a", "-_ 8"] { #expect(Base64URL.bytes(bad) == nil) }
    }
}
