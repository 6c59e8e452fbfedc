import Bundles
import Cryptography
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import TestSupport
import Testing
import Uploads

@Suite(.timeLimit(.minutes(10)))
struct UploadConcurrencyTests {
    @Test(arguments: [(1, false), (3, false), (1, true)])
    func `of many publishers of one version exactly one creates it`(
        kinds: Int,
        shareToken: Bool,
    ) async throws {
        for _ in 0..<TestDepth.samples(1, long: 20) {
            try await Self.race(of: TestDepth.samples(32, long: 64), kinds, shareToken)
        }
    }

    /// - Parameters:
    ///   - publishers: number of concurrent uploads.
    ///   - kinds: number of different builds.
    ///   - shareToken: whether all uploads use one token.
    /// - Throws: the errors of the site.
    private static func race(
        of publishers: Int,
        _ kinds: Int,
        _ shareToken: Bool,
    ) async throws {
        try await UploadSite.run { site in
            let builds = try (0..<kinds).map {
                try UploadSite.build(by: site.authority, noise: 1000 + $0)
            }
            let statuses = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for number in 0..<publishers {
                    let kind = number % kinds
                    let build = builds[kind]
                    let token = shareToken ? site.token : try UploadSite.token(in: site.store)
                    group.addTask {
                        let path = try await site.begin(token: token) {
                            $0.size = build.count
                            $0.sha256 = SHA256Digest(of: build)
                        }
                        let answer = try await site.append(
                            path,
                            build,
                            at: 0,
                            isLast: true,
                            token: token,
                        )
                        return (kind, answer.status)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let winners = statuses.filter { $0.1 == 201 }
            #expect(winners.count == 1)
            let winner = try #require(winners.first).0
            for (kind, status) in statuses where status != 201 {
                #expect(status == (kind == winner ? 200 : 409))
            }
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))
            let there = try site.store.releases(of: app)
            #expect(there.map(\.sha256) == [SHA256Digest(of: builds[winner])])
            #expect(try site.store.backend.uploads() == [])
        }
    }

    @Test func `whoever comes later takes an upload over from a dead connection`() async throws {
        try await UploadSite.run(noise: 1_500_000) { site in
            let path = try await site.begin()
            try await WireClient.connect(site.site.port, tls: site.tls) { stuck in
                var fields = UploadSite.piece(at: 0, isLast: true)
                fields["Authorization"] = "Bearer \(site.token)"
                fields["Content-Length"] = "\(site.build.count)"
                fields["Expect"] = "100-continue"
                try await stuck.send(UploadSite.head("PATCH", path, fields))
                #expect(try await stuck.responseHead().status == 100)
                try await stuck.send(site.build[..<700_000])
                // The response is lost; the next publisher asks for the offset and continues.
                var offset = 0
                while offset == 0 { offset = try #require(try await site.offset(path)) }
                let rest = Array(site.build[offset...])
                let answer = try await site.append(path, rest, at: offset, isLast: true)
                #expect(answer.status == 201, "\(answer.text)")
                try await stuck.send(site.build[700_000...])
                let late = try await stuck.response()
                // Status 408 if the rest took longer than a connection may be idle.
                #expect([400, 408, 409].contains(late.status), "\(late.text)")
            }
            let blob = try site.store.open(site.digest)
            #expect(blob.size == site.build.count)
        }
    }

    @Test func `ten thousand offers do not fill the server`() async throws {
        try await UploadSite.run { site in
            var refused = 0
            try await WireClient.connect(site.site.port, tls: site.tls) { client in
                let body = Array(#"{"size": 1000}"#.utf8)
                let head = UploadSite.head(
                    "POST",
                    "/api/v1/uploads",
                    [
                        "Authorization": "Bearer \(site.token)",
                        "Content-Type": "application/json", "Content-Length": "\(body.count)",
                    ],
                )
                for _ in 0..<10_000 where refused < 200 {
                    try await client.send(Array(head.utf8) + body)
                    if try await client.response().status == 429 { refused += 1 }
                }
            }
            #expect(refused == 200)
            #expect(try site.store.uploads().there.count == UploadLimits().perToken)
        }
    }
}
