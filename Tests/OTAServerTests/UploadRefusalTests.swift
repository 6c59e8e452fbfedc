import Access
import Bundles
import Cryptography
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import Testing
import Uploads

@Suite(.timeLimit(.minutes(10)))
struct UploadRefusalTests {
    @Test func `bytes at a wrong offset are refused with the right one`() async throws {
        try await UploadSite.run { site in
            let path = try await site.begin()
            let front = Array(site.build[..<1000])
            #expect(try await site.append(path, front, at: 0, isLast: false).status == 204)
            for offset in [0, 999, 1001, site.build.count] {
                let answer = try await site.append(path, [1], at: offset, isLast: false)
                #expect(answer.status == 409 && answer.errorID == "upload.wrong-offset")
                #expect(answer.fields["upload-offset"] == "1000")
            }
            let rest = try await site.append(
                path,
                Array(site.build[1000...]),
                at: 1000,
                isLast: true,
            )
            #expect(rest.status == 201)
        }
    }

    @Test func `lengths that lie are refused and change nothing`() async throws {
        try await UploadSite.run { site in
            let path = try await site.begin()
            let tooMany = try await site.append(path, site.build + [0], at: 0, isLast: false)
            #expect(tooMany.status == 400 && tooMany.errorID == "upload.wrong-length")
            let tooFew = try await site.append(path, [1], at: 0, isLast: true)
            #expect(tooFew.status == 400 && tooFew.errorID == "upload.wrong-length")
            #expect(try await site.offset(path) == 0)
            for (field, value) in [
                (UploadField.offset, "-1"), (UploadField.offset, "x"),
                (UploadField.complete, "true"), ("Content-Type", "text/plain"),
            ] {
                var fields = UploadSite.piece(at: 0, isLast: false)
                fields[field] = value
                let answer = try await site.send("PATCH", path, fields, body: [1])
                #expect(answer.status == 422, "\(field): \(value)")
            }
            #expect(try await site.append(path, site.build, at: 0, isLast: true).status == 201)
        }
    }

    @Test func `an early close keeps what came, and publishes nothing`() async throws {
        try await UploadSite.run(noise: 3_000_000) { site in
            let path = try await site.begin()
            for isChunked in [false, true] {
                let before = try #require(try await site.offset(path))
                var fields = UploadSite.piece(at: before, isLast: true)
                fields["Authorization"] = "Bearer \(site.token)"
                let part = Array(site.build[before..<before + 1_200_000])
                try await WireClient.connect(site.site.port, tls: site.tls) { client in
                    if isChunked {
                        fields["Transfer-Encoding"] = "chunked"
                        try await client.send(UploadSite.head("PATCH", path, fields))
                        try await client.send("\(String(part.count + 5, radix: 16))\r\n")
                    } else {
                        fields["Content-Length"] = "\(site.build.count - before)"
                        try await client.send(UploadSite.head("PATCH", path, fields))
                    }
                    try await client.send(part)
                }
                let after = try #require(try await site.offset(path))
                #expect(after >= before && after <= before + part.count)
                let status = try await site.send("GET", path)
                #expect(status.json("state") as? String == "receiving")
            }
            let rest = try #require(try await site.offset(path))
            let answer = try await site.append(
                path,
                Array(site.build[rest...]),
                at: rest,
                isLast: true,
            )
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    @Test func `a build sent again from its first byte replaces what was cut`() async throws {
        try await UploadSite.run(noise: 3_000_000) { site in
            let fields = [
                "Authorization": "Bearer \(site.token)", "Content-Length": "\(site.build.count)",
                UploadField.digest: UploadField.text(SHA256Digest(of: site.build)) + ";by=curl",
            ]
            let head = UploadSite.head("POST", "/api/v1/uploads", fields)
            try await WireClient.connect(site.site.port, tls: site.tls) { client in
                try await client.send(head)
                try await client.send(site.build[..<1_200_000])
            }
            // The server takes a moment to notice that the connection is gone, and which bytes arrived.
            while try site.store.uploads().there.allSatisfy({ $0.lasting == 0 }) {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await WireClient.connect(site.site.port, tls: site.tls) { client in
                try await client.send(head)
                try await client.send(site.build)
                #expect(try await client.response().status == 201)
            }
            #expect(try site.store.backend.facts(of: SHA256Digest(of: site.build)) != nil)
        }
    }

    @Test func `a chunked body that ends makes a whole build`() async throws {
        try await UploadSite.run { site in
            try await WireClient.connect(site.site.port, tls: site.tls) { client in
                let fields = [
                    "Authorization": "Bearer \(site.token)", "Transfer-Encoding": "chunked",
                    UploadField.length: "\(site.build.count)",
                ]
                try await client.send(UploadSite.head("POST", "/api/v1/uploads", fields))
                for start in stride(from: 0, to: site.build.count, by: 10_000) {
                    let piece = site.build[start..<min(start + 10_000, site.build.count)]
                    try await client.send("\(String(piece.count, radix: 16))\r\n")
                    try await client.send(piece)
                    try await client.send("\r\n")
                }
                try await client.send("0\r\n\r\n")
                #expect(try await client.response().status == 201)
            }
            let unknown = try await site.send("POST", "/api/v1/uploads", ["Upload-Complete": "?0"])
            #expect(unknown.status == 400 && unknown.errorID == "upload.length-required")
        }
    }

    @Test func `bytes that are not the announced ones are dropped`() async throws {
        try await UploadSite.run { site in
            let path = try await site.begin()
            var damaged = site.build
            damaged[damaged.count / 2] ^= 1
            let answer = try await site.append(path, damaged, at: 0, isLast: true)
            #expect(answer.status == 422 && answer.errorID == "upload.wrong-digest")
            #expect(try site.store.backend.uploads() == [])
            #expect(try site.store.backend.facts(of: SHA256Digest(of: damaged)) == nil)
            let wrong = try await site.begin { $0.version = "9.9" }
            let other = try await site.append(wrong, site.build, at: 0, isLast: true)
            #expect(other.status == 422 && other.errorID == "upload.other-build")
        }
    }

    @Test func `an upload belongs to its token`() async throws {
        try await UploadSite.run { site in
            let path = try await site.begin()
            let stranger = try UploadSite.token(in: site.store)
            let admin = try UploadSite.token(in: site.store, Scope(.admin))
            for token in [stranger, admin] {
                // An admin may end it, but neither see nor continue it.
                for method in token == admin ? ["GET", "HEAD"] : ["GET", "HEAD", "DELETE"] {
                    #expect(try await site.send(method, path, token: token).status == 404)
                }
                let answer = try await site.append(path, [1], at: 0, isLast: false, token: token)
                #expect(answer.status == 404)
            }
            for bad in [
                "/api/v1/uploads/..%2f..", "/api/v1/uploads/\(String(repeating: "a", count: 32))",
            ] {
                #expect(try await site.send("GET", bad).status == 404)
            }
            for token in ["", "ota_1", String(repeating: "x", count: 9000)] {
                #expect(try await site.send("GET", path, token: token).status == 401)
            }
            #expect(try await site.send("DELETE", path, token: admin).status == 204)
            #expect(try site.store.backend.uploads() == [])
        }
    }

    @Test func `what a token may not publish is refused before and after the bytes`() async throws {
        try await UploadSite.run { site in
            let reader = try UploadSite.token(in: site.store, Scope(.read))
            #expect(try await site.offer(token: reader).status == 403)
            let other = try #require(BundleIdentifier("com.example.other"))
            let narrow = try UploadSite.token(in: site.store, Scope(.publish, app: other))
            let said = try await site.offer(token: narrow) {
                $0.app = BundleIdentifier("com.vforsh.browsey")
            }
            #expect(said.status == 403 && said.errorID == "token.not-allowed")
            let words = "allows publish:com.example.other, but this build is of com.vforsh.browsey"
            #expect(said.text.contains(words), "\(said.text)")
            let path = try await site.begin(token: narrow)
            let answer = try await site.append(
                path,
                site.build,
                at: 0,
                isLast: true,
                token: narrow,
            )
            #expect(answer.status == 403, "\(answer.text)")
            #expect(try site.store.backend.facts(of: site.digest) == nil)
        }
    }

    @Test(arguments: [true, false])
    func `a token that ends on the way publishes nothing`(isRevoked: Bool) async throws {
        try await UploadSite.run { site in
            let end = site.site.clock.now.addingTimeInterval(600)
            let token = try UploadSite.token(in: site.store, expires: isRevoked ? nil : end)
            let path = try await site.begin(token: token)
            let half = site.build.count / 2
            let front = Array(site.build[..<half])
            #expect(
                try await site.append(path, front, at: 0, isLast: false, token: token).status == 204
            )
            // The last piece is in transit when the token expires.
            try await WireClient.connect(site.site.port, tls: site.tls) { client in
                var fields = UploadSite.piece(at: half, isLast: true)
                fields["Authorization"] = "Bearer \(token)"
                fields["Content-Length"] = "\(site.build.count - half)"
                fields["Expect"] = "100-continue"
                try await client.send(UploadSite.head("PATCH", path, fields))
                #expect(try await client.responseHead().status == 100)
                if isRevoked {
                    try site.store.changeTokens { try $0.revoke("t1", at: Date()) }
                } else {
                    site.site.clock.advance(by: 3600)
                }
                try await client.send(site.build[half...])
                let answer = try await client.response()
                #expect(answer.status == 401, "\(answer.text)")
            }
            #expect(try site.store.backend.facts(of: site.digest) == nil)
            #expect(try site.store.backend.uploads() == [])
        }
    }

    @Test func `limits answer before the first byte`() async throws {
        var limits = UploadLimits()
        limits.largest = 10_000_000
        limits.reserve = 0
        limits.quota = 15_000_000
        limits.perToken = 3
        limits.all = 5
        try await UploadSite.run(limits: limits) { site in
            #expect(try await site.offer { $0.size = 1 << 40 }.status == 413)
            #expect(try await site.offer { $0.size = 9_000_000 }.status == 201)
            #expect(try await site.offer { $0.size = 9_000_000 }.status == 507)
            #expect(try await site.offer { $0.size = 1000 }.status == 201)
            #expect(try await site.offer { $0.size = 1000 }.status == 201)
            #expect(try await site.offer { $0.size = 1000 }.status == 429)
            let others = try UploadSite.token(in: site.store)
            #expect(try await site.offer(token: others) { $0.size = 1000 }.status == 201)
            #expect(try await site.offer(token: others) { $0.size = 1000 }.status == 201)
            let full = try await site.offer(token: others) { $0.size = 1000 }
            #expect(full.status == 429 && full.fields["retry-after"] != nil)
        }
        limits = UploadLimits()
        limits.reserve = 1 << 60
        try await UploadSite.run(limits: limits) { site in
            let answer = try await site.offer()
            #expect(answer.status == 507 && answer.errorID == "upload.no-room")
        }
    }

    @Test func `uploads that nobody goes on with are forgotten, and make room`() async throws {
        var limits = UploadLimits()
        limits.reserve = 0
        limits.perToken = 1
        try await UploadSite.run(limits: limits) { site in
            let path = try await site.begin { $0.sha256 = nil }
            #expect(try await site.offer { $0.sha256 = nil }.status == 429)
            site.site.clock.advance(by: UploadLimits().idleTime + 10)
            #expect(try await site.offer { $0.sha256 = nil }.status == 201)
            #expect(try await site.send("GET", path).status == 404)
        }
    }

    @Test func `the upload that was left first gives way to one more of its token`() async throws {
        var limits = UploadLimits()
        limits.reserve = 0
        limits.perToken = 2
        try await UploadSite.run(limits: limits) { site in
            let oldest = try await site.begin { $0.sha256 = nil }
            site.site.clock.advance(by: 20)
            let next = try await site.begin { $0.sha256 = nil }
            site.site.clock.advance(by: 10)
            // Both may still be continued.
            #expect(try await site.offer { $0.sha256 = nil }.status == 429)
            site.site.clock.advance(by: 35)
            #expect(try await site.offer { $0.sha256 = nil }.status == 201)
            #expect(try await site.send("GET", oldest).status == 404)
            #expect(try await site.send("GET", next).status == 200)
        }
    }

    @Test func `given up is gone`() async throws {
        try await UploadSite.run { site in
            let path = try await site.begin()
            let front = Array(site.build[..<1000])
            #expect(try await site.append(path, front, at: 0, isLast: false).status == 204)
            #expect(try await site.send("DELETE", path).status == 204)
            #expect(try await site.send("HEAD", path).status == 404)
            #expect(try site.store.backend.uploads() == [])
            #expect(try site.store.uploads().there.isEmpty)
        }
    }

    @Test(arguments: [
        "", "[]", "null", "{", #"{"size": "5"}"#, #"{"size": 1e400}"#,
        #"{"size": 5, "sha256": "x"}"#,
        #"{"size": 5, "channel": "a/b"}"#, #"{"size": 5, "tag": "a\nb"}"#,
        #"{"size": 5, "commit": "\u001b[31m"}"#, #"{"size": -5}"#,
        #"{"size": 5, "replace": "yes"}"#,
        String(repeating: "[", count: 5000), #"{"size": 5, "app": "../../etc"}"#,
    ])
    func `an offer that makes no sense is refused by field`(body: String) async throws {
        try await UploadSite.run { site in
            let answer = try await site.send(
                "POST",
                "/api/v1/uploads",
                ["Content-Type": "application/json"],
                body: Array(body.utf8),
            )
            #expect(answer.status == 422, "\(answer.status) \(answer.text)")
            #expect(answer.errorID == "upload.malformed")
            #expect(!answer.text.contains("\u{1B}"))
            #expect(try site.store.uploads().there.isEmpty)
        }
    }
}
