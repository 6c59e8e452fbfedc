import Cryptography
import Foundation
import PropertyLists
import Sample
import TestSupport
import Testing

struct DeviceAuthorityTests {
    @Test func `it looks as Apple's does, and is not Apple's`() throws {
        let authority = try DeviceAuthority()
        #expect(authority.anchor.subject.commonName == "Apple iPhone Device CA")
        #expect(authority.anchor.subject.organization == "ota Sample (not Apple)")
        #expect(authority.anchor.publicKeyDescription == "RSA 1024")
        #expect(authority.anchor.isAuthority)
        #expect(authority.anchor.notAfter < Moment.signing)
        #expect(!TrustAnchors.appleDevices.isApple(authority.anchor))
        let device = try authority.certify("device")
        #expect(device.certificate.isSigned(by: authority.anchor))
        #expect(!device.certificate.isAuthority)
        #expect(device.certificate.notAfter < Moment.signing)
    }

    @Test func `it survives being saved`() throws {
        let authority = try DeviceAuthority()
        let loaded = try DeviceAuthority(pem: authority.privatePEM)
        #expect(loaded.anchor == authority.anchor)
        #expect(try loaded.certify("device").certificate.isSigned(by: authority.anchor))
        let other = try DeviceAuthority()
        let mixed = authority.anchor.pem + other.identity.key.pem
        #expect(throws: SampleFailure.self) { try DeviceAuthority(pem: mixed) }
    }

    @Test(.enabled(if: Tool.openssl != nil, "openssl is absent"))
    func `openssl reads the answers in every form`() async throws {
        let device = try SampleDevice(certifiedBy: DeviceAuthority())
        let tool = try #require(Tool.openssl)
        try await withTemporaryFolder { folder in
            for form in SampleDevice.Form.allCases {
                let answer = try device.answer(challenge: "secret", form: form)
                #expect(answer.starts(with: form == .indefinite ? [0x30, 0x80] : [0x30, 0x82]))
                let path = try folder.writing(answer, as: "answer.der")
                let content = folder.appending(path: "content").path()
                let result = try tool.run(
                    "cms",
                    "-verify",
                    "-noverify",
                    "-inform",
                    "DER",
                    "-binary",
                    "-in",
                    path,
                    "-out",
                    content,
                )
                #expect(result.isContent, "\(form): \(result.output)")
                let read = try Data(contentsOf: URL(filePath: content))
                #expect([UInt8](read) == device.content(challenge: "secret"))
            }
        }
    }
}
