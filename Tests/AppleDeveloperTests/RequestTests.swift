@testable import AppleDeveloper
import Cryptography
import Foundation
import HTTPCalling
import Identifiers
import Testing

/// Requests, byte by byte.
struct RequestTests {
    private func body(_ request: APIRequest) -> String {
        String(decoding: request.body ?? [], as: UTF8.self)
    }

    @Test func `lists ask for whole pages and only for what is read`() throws {
        #expect(
            APIRequest.devices.target
                == "/v1/devices?fields%5Bdevices%5D="
                + "name,platform,udid,deviceClass,status,model,addedDate&limit=200"
        )
        let one = APIRequest.devices(with: try TestAccount.udid(1)).target
        #expect(one.hasPrefix("/v1/devices?filter%5Budid%5D=00008150-0000000000000001&"))
        #expect(!APIRequest.profiles.target.contains("profileContent"))
        #expect(APIRequest.profiles.target.contains("filter%5BprofileType%5D=IOS_APP_ADHOC"))
        let named = APIRequest.profiles(named: "a &b=c#d").target
        #expect(named.contains("filter%5Bname%5D=a%20%26b%3Dc%23d&"))
    }

    @Test func `a new device has name, platform and identifier`() throws {
        let request = APIRequest.register(try TestAccount.udid(1), name: "Ana's \"iPhone\"")
        #expect(request.method == .post && request.target == "/v1/devices")
        #expect(
            body(request)
                == #"{"data":{"attributes":{"name":"Ana's \"iPhone\"","platform":"IOS","#
                + #""udid":"00008150-0000000000000001"},"type":"devices"}}"#
        )
    }

    @Test func `a change of a device names only what changes`() throws {
        let id = try #require(ResourceID("D1"))
        #expect(
            body(.change(id, isEnabled: false))
                == #"{"data":{"attributes":{"status":"DISABLED"},"id":"D1","type":"devices"}}"#
        )
        #expect(
            body(.change(id, name: "Ben"))
                == #"{"data":{"attributes":{"name":"Ben"},"id":"D1","type":"devices"}}"#
        )
    }

    @Test func `a new profile names one App ID, one certificate and the devices`() throws {
        let draft = ProfileDraft(
            name: try TestAccount.profileName(),
            bundleID: try #require(ResourceID("B1")),
            certificate: try #require(ResourceID("C1")),
            devices: try JSONDecoder().decode(
                [AccountDevice].self,
                from: Data("[\(CallAnswer.device("00008150-0000000000000001"))]".utf8),
            ),
        )
        #expect(
            body(.create(draft))
                == #"{"data":{"attributes":{"name":"ota 3f2a91c4d0e7 20270115 000001 com.example.brows","#
                + #""profileType":"IOS_APP_ADHOC"},"relationships":{"#
                + #""bundleId":{"data":{"id":"B1","type":"bundleIds"}},"#
                + #""certificates":{"data":[{"id":"C1","type":"certificates"}]},"#
                + #""devices":{"data":[{"id":"D1","type":"devices"}]}},"type":"profiles"}}"#
        )
    }

    @Test func `a request for a certificate is signed by its key`() throws {
        let key = try PrivateKey.generate(.rsa2048)
        let request = try CertificateSigningRequest(
            for: key,
            subject: DistinguishedName(commonName: "ota"),
        )
        #expect(request.pem.hasPrefix("-----BEGIN CERTIFICATE REQUEST-----\n"))
        #expect(request.publicKey == PublicKey(of: key))
        #expect(body(.create(request)).contains(#""certificateType":"DISTRIBUTION""#))
    }

    @Test func `identifiers that Apple sends cannot leave their place in a path`() {
        for bad in ["", "a/b", "..", "a?b", "a b", "ü", String(repeating: "a", count: 65)] {
            #expect(ResourceID(bad) == nil)
        }
        #expect(ResourceID("T00000001_a-B") != nil)
    }
}
