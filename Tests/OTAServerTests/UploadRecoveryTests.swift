import Access
import Bundles
import Cryptography
import Foundation
import Releases
import Sample
import Store
import Testing
import Uploads

/// Uploads that an earlier life of the server left.
@Suite(.timeLimit(.minutes(3)))
struct UploadRecoveryTests {
    @Test(arguments: [(0, 201), (4, 201), (5, 422)])
    func `what the server died of again and again is not tried for ever`(
        attempts: Int,
        status: Int,
    ) async throws {
        let identifier = UploadIdentifier(random: randomBytes)
        let authority = try SigningAuthority.cached()
        let build = try UploadSite.build(by: authority)
        let random = { [UInt8](repeating: 9, count: $0) }
        let secret = TokenSecret(random: random)
        try await UploadSite.run(configure: { _, folder in
            let store = try OTAStore.open(at: folder.appending(path: "store").path())
            try store.changeSettings { $0.anchors = [authority.anchorPEM] }
            try store.changeTokens { register in
                _ = try register.create(
                    name: "ci",
                    scopes: [Scope(.publish)],
                    expires: nil,
                    at: Date(),
                    random: random,
                )
            }
            let file = try store.bytes(of: identifier)
            try unsafe build.withUnsafeBytes { try unsafe file.append($0) }
            var record = UploadRecord(
                identifier: identifier,
                token: secret.identifier,
                publisher: "ci",
                offer: UploadOffer(size: build.count, sha256: SHA256Digest(of: build)),
                created: Date(),
                boot: "",
            )
            record.state = .publishing
            record.lasting = build.count
            record.attempts = attempts
            try store.begin(record)
            // The site's own store looks at its settings again after a fifth of a second.
            Thread.sleep(forTimeInterval: 0.3)
        }) { site in
            let answer = try await site.append(
                "/api/v1/uploads/\(identifier)",
                [],
                at: build.count,
                isLast: true,
                token: secret.text,
            )
            #expect(answer.status == status, "\(answer.text)")
            #expect((answer.errorID == "upload.unpublishable") == (status == 422))
        }
    }
}
