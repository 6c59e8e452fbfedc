import Access
import Bundles
import Bytes
import Cryptography
import Foundation
import Identifiers
import OTAServer
import Releases
import Sample
import Store
import Testing
import Uploads

@Suite(.timeLimit(.minutes(10)))
struct UploadTests {
    @Test func `a build in three pieces becomes a release`() async throws {
        try await UploadSite.run(noise: 400_000) { site in
            let path = try await site.begin { $0.channel = .init("beta") ?? .stable }
            let third = site.build.count / 3
            let first = try await site.append(
                path,
                Array(site.build[..<third]),
                at: 0,
                isLast: false,
            )
            #expect(first.status == 204 && first.fields["upload-complete"] == "?0")
            #expect(first.fields["upload-offset"] == "\(third)")
            let second = Array(site.build[third..<2 * third])
            #expect(try await site.append(path, second, at: third, isLast: false).status == 204)
            #expect(try await site.offset(path) == 2 * third)
            let last = try await site.append(
                path,
                Array(site.build[(2 * third)...]),
                at: 2 * third,
                isLast: true,
            )
            #expect(last.status == 201, "\(last.text)")
            #expect(last.fields["upload-complete"] == "?1")
            #expect(last.json("created") as? Bool == true)
            #expect(last.json("sha256") as? String == "\(site.digest)")
            #expect(last.json("channel") as? String == "beta")
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))
            let release = try #require(
                try site.store.release(ReleaseIdentifier(version: "1.0", build: "1"), of: app)
            )
            #expect(release.sha256 == site.digest && release.publisher == "t0")
            let blob = try site.store.open(release.sha256)
            #expect(try blob.source.bytes(at: 0, count: blob.size) == site.build)
            #expect(try site.store.backend.uploads() == [])
        }
    }

    @Test func `requests sent in one go are taken in their order`() async throws {
        try await UploadSite.run(noise: 900_000) { site in
            let path = try await site.begin()
            let cut = site.build.count - 1000
            func request(_ range: Range<Int>, isLast: Bool) -> [UInt8] {
                var fields = UploadSite.piece(at: range.lowerBound, isLast: isLast)
                fields["Authorization"] = "Bearer \(site.token)"
                fields["Content-Length"] = "\(range.count)"
                return Array(UploadSite.head("PATCH", path, fields).utf8) + site.build[range]
            }
            let look = UploadSite.head("GET", path, ["Authorization": "Bearer \(site.token)"])
            try await WireClient.connect(site.site.port, tls: site.tls) { client in
                try await client.send(
                    Array(look.utf8) + request(0..<500, isLast: false)
                        + request(500..<500, isLast: false) + request(500..<cut, isLast: false)
                        + request(cut..<site.build.count, isLast: true) + Array(look.utf8)
                )
                #expect(try await client.response().json("offset") as? Int == 0)
                for offset in [500, 500, cut] {
                    let answer = try await client.response()
                    #expect(answer.status == 204 && answer.fields["upload-offset"] == "\(offset)")
                }
                #expect(try await client.response().status == 201)
                #expect(try await client.response().json("state") as? String == "finished")
            }
            #expect(try site.store.open(site.digest).size == site.build.count)
        }
    }

    @Test func `the answer is there again for whoever lost it`() async throws {
        try await UploadSite.run { site in
            let path = try await site.begin()
            let answer = try await site.append(path, site.build, at: 0, isLast: true)
            #expect(answer.status == 201)
            let status = try await site.send("GET", path)
            #expect(status.json("state") as? String == "finished")
            #expect(status.json("status") as? Int == 201)
            #expect(status.json("answer", "sha256") as? String == "\(site.digest)")
            let again = try await site.append(path, [], at: site.build.count, isLast: true)
            #expect(again.status == 201 && again.body == answer.body)
            let more = try await site.append(path, [1], at: site.build.count, isLast: true)
            #expect(more.status == 400 && more.errorID == "upload.complete")
        }
    }

    @Test func `one request is enough`() async throws {
        try await UploadSite.run { site in
            let path = "/api/v1/uploads?channel=beta&notes=More&tag=v1.0"
            let answer = try await site.send(
                "POST",
                path,
                [
                    "Content-Type": "application/octet-stream",
                    UploadField.digest: UploadField.text(site.digest),
                ],
                body: site.build,
            )
            #expect(answer.status == 201, "\(answer.text)")
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))
            let release = try #require(
                try site.store.release(ReleaseIdentifier(version: "1.0", build: "1"), of: app)
            )
            #expect(release.notes == "More" && release.tag == "v1.0")
        }
    }

    @Test func `whoever asks for interim responses gets them before the body is sent`() async throws
    {
        try await UploadSite.run { site in
            try await WireClient.connect(site.site.port, tls: site.tls) { client in
                let fields = [
                    "Authorization": "Bearer \(site.token)", "Expect": "100-continue",
                    UploadField.interop: "8", UploadField.complete: "?1",
                    "Content-Length": "\(site.build.count)",
                ]
                try await client.send(UploadSite.head("POST", "/api/v1/uploads", fields))
                let supported = try await client.responseHead()
                #expect(supported.status == 104)
                let path = try #require(supported.fields["location"])
                #expect(try await client.responseHead().status == 100)
                try await client.send(site.build[..<1000])
                try await client.send(site.build[1000...])
                #expect(try await client.response().status == 201)
                #expect(try await site.send("GET", path).json("status") as? Int == 201)
            }
        }
    }

    @Test func `bytes that are a release already need not be sent`() async throws {
        try await UploadSite.run { site in
            let path = try await site.begin()
            #expect(try await site.append(path, site.build, at: 0, isLast: true).status == 201)
            let known = try await site.offer {
                $0.app = BundleIdentifier("com.vforsh.browsey")
                $0.version = "1.0"
                $0.build = "1"
                $0.channel = .init("beta") ?? .stable
            }
            #expect(known.status == 200, "\(known.text)")
            #expect(known.json("created") as? Bool == false)
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))
            let record = try #require(try site.store.app(app))
            #expect(record.channels.count == 2)
        }
    }

    @Test func `stored bytes that have rotted are asked for again`() async throws {
        try await UploadSite.run { site in
            let path = try await site.begin()
            #expect(try await site.append(path, site.build, at: 0, isLast: true).status == 201)
            let blob = try #require(try site.store.open(site.digest).path)
            let file = try FileHandle(forWritingTo: URL(filePath: blob))
            try file.seek(toOffset: 1000)
            try file.write(contentsOf: Data([1, 2, 3, 4, 5, 6, 7, 8]))
            try file.close()
            let again = try await site.offer {
                $0.app = BundleIdentifier("com.vforsh.browsey")
                $0.version = "1.0"
                $0.build = "1"
            }
            #expect(again.status == 201 && again.fields["upload-offset"] == "0")
            let upload = try #require(again.fields["location"])
            let answer = try await site.append(upload, site.build, at: 0, isLast: true)
            #expect(answer.status == 200, "\(answer.text)")
            let repaired = try site.store.open(site.digest)
            #expect(try repaired.source.bytes(at: 0, count: repaired.size) == site.build)
        }
    }

    @Test func `other bytes under the same version are refused before the first one`() async throws
    {
        try await UploadSite.run { site in
            let path = try await site.begin()
            #expect(try await site.append(path, site.build, at: 0, isLast: true).status == 201)
            func offer(_ change: (inout UploadOffer) -> Void) async throws -> WireResponse {
                try await site.offer {
                    $0.app = BundleIdentifier("com.vforsh.browsey")
                    $0.version = "1.0"
                    $0.build = "1"
                    $0.sha256 = SHA256Digest(of: [1])
                    change(&$0)
                }
            }
            let refused = try await offer { _ in }
            #expect(refused.status == 409 && refused.errorID == "release.other-bytes")
            #expect(try await offer { $0.replace = true }.status == 201)
            #expect(try await offer { $0.build = "2" }.status == 201)
        }
    }

    @Test func `a build that installs nowhere is refused with its findings`() async throws {
        try await UploadSite.run { site in
            let bytes = try SampleApps.browsey(by: site.authority, at: Date()).unsigned().bytes()
            let path = try await site.begin {
                $0.size = bytes.count
                $0.sha256 = SHA256Digest(of: bytes)
            }
            let answer = try await site.append(path, bytes, at: 0, isLast: true)
            #expect(answer.status == 422, "\(answer.text)")
            #expect((answer.json("findings") as? [Any])?.isEmpty == false)
            let noArchive = try await site.begin {
                $0.size = 5
                $0.sha256 = nil
            }
            let refused = try await site.append(noArchive, [1, 2, 3, 4, 5], at: 0, isLast: true)
            #expect(refused.status == 422 && refused.errorID?.hasPrefix("zip.") == true)
            #expect(try site.store.backend.uploads() == [])
        }
    }

    @Test func `a client that does not wait is told how far it is`() async throws {
        try await UploadSite.run(noise: 2_000_000) { site in
            let path = try await site.begin()
            var fields = UploadSite.piece(at: 0, isLast: true)
            fields["Prefer"] = "respond-async"
            let answer = try await site.send("PATCH", path, fields, body: site.build)
            #expect(answer.status == 202 || answer.status == 201)
            // A request without the preference respond-async waits for the result.
            let end = try await site.append(path, [], at: site.build.count, isLast: true)
            #expect(end.status == 201)
        }
    }
}
