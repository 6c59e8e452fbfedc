import Access
import Bundles
import Cryptography
import Foundation
import Identifiers
import OTAServer
import Releases
import Sample
import Store
import Testing
import Uploads

/// Uploads that an earlier server process left behind.
@Suite(.timeLimit(.minutes(10)))
struct UploadRecoveryTests {
    /// What a build does to the process that checks it.
    enum Trial: String, CaseIterable {
        /// The check completes, with any result.
        case innocent = "exit 1"
        /// A signal ends the process, as after a trap or for lack of memory.
        case guilty = "kill -SEGV $$"
    }

    /// The server was killed while it published, for whatever reason.
    ///
    /// A build that crashes another process too is quarantined at once, and any other is published. Without a
    /// program for the check, it is quarantined.
    @Test(
        arguments: [
            (0, nil, 201), (0, .guilty, 201), (1, nil, 422), (1, .guilty, 422),
            (1, .innocent, 201),
            (4, .guilty, 422), (4, .innocent, 201), (5, .innocent, 422),
        ] as [(Int, Trial?, Int)]
    )
    func `what the server ended with is tried in another process, and set aside if that ends too`(
        attempts: Int,
        trial: Trial?,
        status: Int,
    ) async throws {
        let identifier = UploadIdentifier(random: randomBytes)
        let authority = try SigningAuthority.cached()
        let build = try UploadSite.build(by: authority)
        let random = { [UInt8](repeating: 9, count: $0) }
        let secret = TokenSecret(random: random)
        try await UploadSite.run(configure: { configuration, folder in
            if let trial {
                let program = folder.appending(path: "trial").path()
                try Data("#!/bin/sh\n\(trial.rawValue)\n".utf8).write(to: URL(filePath: program))
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755],
                    ofItemAtPath: program,
                )
                configuration.program = program
            }
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
            // The site's own store checks its settings again after a fifth of a second.
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

    @Test func `a publisher that was killed goes on at once with what it sent`() async throws {
        try await UploadSite.run(noise: 3_000_000) { site in
            let path = try await site.begin()
            var fields = UploadSite.piece(at: 0, isLast: true)
            fields["Authorization"] = "Bearer \(site.token)"
            fields["Content-Length"] = "\(site.build.count)"
            try await WireClient.connect(site.site.port, tls: site.tls) { client in
                try await client.send(UploadSite.head("PATCH", path, fields))
                try await client.send(site.build[..<2_000_000])
            }
            // The server learns of the disconnection as soon as it reads; its own clock is stopped.
            var again = try await site.offer()
            for _ in 0..<500 where again.fields["location"] != path {
                try await Task.sleep(for: .milliseconds(20))
                again = try await site.offer()
            }
            #expect(again.status == 200 && again.fields["location"] == path)
            let rest = try #require(try await site.offset(path))
            #expect(rest > 0)
            let last = try await site.append(
                path,
                Array(site.build[rest...]),
                at: rest,
                isLast: true,
            )
            #expect(last.status == 201, "\(last.text)")
        }
    }

    @Test func `what was published meanwhile is not waited for`() async throws {
        try await UploadSite.run(noise: 1_000_000) { site in
            let exact: @Sendable (inout UploadOffer) -> Void = {
                $0.app = BundleIdentifier("com.vforsh.browsey")
                $0.version = "1.0"
                $0.build = "1"
            }
            let left = try await site.begin(exact)
            let front = Array(site.build[..<1000])
            #expect(try await site.append(left, front, at: 0, isLast: false).status == 204)

            let other = try UploadSite.token(in: site.store)
            let path = try await site.begin(token: other, exact)
            #expect(
                try await site.append(path, site.build, at: 0, isLast: true, token: other).status
                    == 201
            )
            // The server does not know yet that the publisher will not return.
            _ = try await site.offer { $0.sha256 = nil }
            #expect(try await site.offset(left) == 1000)
            site.site.clock.advance(by: 60)
            _ = try await site.offer { $0.sha256 = nil }
            #expect(try await site.send("GET", left).status == 404)
            let again = try await site.offer(exact)
            #expect(again.status == 200 && again.json("created") as? Bool == false)
        }
    }
}
