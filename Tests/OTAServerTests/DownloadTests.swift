import Foundation
import Identifiers
import NIOCore
import OTAServer
import Releases
import Store
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DownloadTests {
    @Test func `a phone ends up with the same bytes`() async throws {
        try await TestSite.run(archiveSize: 3_000_001) { site in
            let path = try await InstallPath.follow(site)
            let response = try await WireClient.get(site, path.archive)
            #expect(response.status == 200)
            #expect(response.body == site.archive)
            #expect(response.fields["content-type"] == "application/octet-stream")
            #expect(response.fields["accept-ranges"] == "bytes")
            #expect(response.fields["etag"] == "\"\(site.release.sha256)\"")
            #expect(response.fields["cache-control"] == "private")
            #expect(
                response.fields["content-disposition"]
                    == "attachment; filename=\"Demo-Co-1.2.0-34.ipa\"; "
                    + "filename*=UTF-8''Demo-%26-Co-1.2.0-34.ipa"
            )
        }
    }

    @Test func `HEAD says the length and sends nothing`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            try await WireClient.secure(site) { client in
                let head = try await client.request("HEAD", path.archive)
                #expect(head.status == 200)
                #expect(head.length == site.archive.count)
                // The connection can be used at once, so nothing was sent after the head.
                let whole = try await client.request("GET", path.archive)
                #expect(whole.body == site.archive)
            }
        }
    }

    @Test(arguments: [
        ("bytes=0-99", 0..<100), ("bytes=100-", 100..<300_000), ("bytes=-500", 299_500..<300_000),
        ("bytes=299999-", 299_999..<300_000), ("bytes=131071-131073", 131_071..<131_074),
        ("bytes=5-999999999", 5..<300_000), ("bytes=-999999999", 0..<300_000),
    ])
    func `a single range is exact`(field: String, range: Range<Int>) async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            let response = try await WireClient.get(site, path.archive, fields: ["Range": field])
            #expect(response.status == 206)
            #expect(response.body == Array(site.archive[range]))
            #expect(
                response.fields["content-range"]
                    == "bytes \(range.lowerBound)-\(range.upperBound - 1)/300000"
            )
        }
    }

    @Test func `a cut download resumes where it stopped`() async throws {
        try await TestSite.run(archiveSize: 8_000_000) { site in
            let path = try await InstallPath.follow(site)
            let etag = "\"\(site.release.sha256)\""
            let front = try await WireClient.secure(site) { client in
                try await client.send("GET \(path.archive) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                _ = try await client.responseHead()
                while client.buffer.readableBytes < 1_234_567 { _ = await client.more() }
                return Array(client.buffer.readableBytesView.prefix(1_234_567))
            }
            let rest = try await WireClient.get(
                site,
                path.archive,
                fields: ["Range": "bytes=1234567-", "If-Range": etag],
            )
            #expect(rest.status == 206)
            #expect(front + rest.body == site.archive)
            let other = try await WireClient.get(
                site,
                path.archive,
                fields: ["Range": "bytes=1234567-", "If-Range": "\"other\""],
            )
            #expect(other.status == 200)
            #expect(other.body == site.archive)
        }
    }

    @Test func `conditions and impossible ranges are answered without bytes`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            let etag = "\"\(site.release.sha256)\""
            let get = { try await WireClient.get(site, path.archive, fields: $0) }
            let beyond = try await get(["Range": "bytes=300000-"])
            #expect(beyond.status == 416)
            #expect(beyond.fields["content-range"] == "bytes */300000")
            #expect(beyond.body.isEmpty)
            #expect(try await get(["If-None-Match": etag]).status == 304)
            #expect(try await get(["If-None-Match": "W/\(etag), \"x\""]).status == 304)
            #expect(try await get(["If-Match": "\"x\""]).status == 412)
            #expect(try await get(["If-Match": etag]).status == 200)
        }
    }

    @Test func `many ranges at once give the whole file once`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            let many = (0..<300).map { "\($0)-\($0 + 1)" }.joined(separator: ",")
            let response = try await WireClient.get(
                site,
                path.archive,
                fields: ["Range": "bytes=" + many],
            )
            #expect(response.status == 200)
            #expect(response.body.count == 300_000)
        }
    }

    @Test func `a withdrawn release gives nothing more`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            _ = try site.store.changeRelease(
                site.release.identifier,
                of: site.release.bundleIdentifier,
            ) { $0.withdrawal = .init(date: Date(), actor: "test", reason: "it eats data") }
            site.settle()
            for file in ["manifest.plist", "icon-57.png", "demo-co-1-2-0-34.ipa"] {
                let response = try await WireClient.get(site, "\(path.folder)/\(file)")
                #expect(response.status == 410)
                #expect(response.text.contains("it eats data"))
            }
        }
    }

    @Test func `the page of a withdrawn release leads to the one before it on its channel`()
        async throws
    {
        try await TestSite.run { site in
            let bytes = TestSite.bytes(count: 1000)
            let beta = try TestSite.publish(
                bytes,
                into: site.store,
                version: "1.3.0",
                build: "35",
                channel: try #require(ChannelName("beta")),
            )
            let newest = try TestSite.publish(
                bytes,
                into: site.store,
                version: "1.3.1",
                build: "36",
            )
            func withdraw(_ release: Release) throws {
                _ = try site.store.changeRelease(
                    release.identifier,
                    of: release.bundleIdentifier,
                ) { $0.withdrawal = .init(date: Date(), actor: "test", reason: "it eats data") }
                site.settle()
            }
            let app = try await WireClient.get(site, "/apps/demo-co").text
            #expect(app.contains("1.3.1") && !app.contains("it eats data"))
            try withdraw(newest)
            let page = try await WireClient.get(site, "/apps/demo-co")
            #expect(page.status == 410 && page.text.contains("it eats data"))
            #expect(page.text.contains("/apps/demo-co/\(site.release.identifier)\">"))
            #expect(page.text.contains("Install version 1.2.0 instead"))
            #expect(!page.text.contains("\(beta.identifier)"))
            try withdraw(site.release)
            let none = try await WireClient.get(site, "/apps/demo-co")
            #expect(none.status == 410 && none.text.contains("/apps/demo-co/history\">"))
        }
    }

    @Test func `other bytes under the same version need another capability`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            let other = TestSite.bytes(count: 1000).reversed()
            try TestSite.publish(Array(other), into: site.store, replace: true)
            site.settle()
            #expect(try await WireClient.get(site, path.archive).status == 410)
            let fresh = try await InstallPath.follow(site)
            #expect(try await WireClient.get(site, fresh.archive).body == Array(other))
        }
    }

    @Test func `capabilities die of age and of changes`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            var component = Array(path.folder.dropFirst("/install/".count))
            let middle = component.count / 2
            component[middle] = component[middle] == "A" ? "B" : "A"
            let altered = "/install/\(String(component))/manifest.plist"
            #expect(try await WireClient.get(site, altered).status == 404)
            site.clock.advance(by: 3590)
            site.settle()
            let late = try await WireClient.get(site, path.folder + "/manifest.plist")
            #expect(late.status == 200)
            #expect(!late.text.contains(path.folder), "the manifest's links are made anew")
            site.clock.advance(by: 1000)
            site.settle()
            let dead = try await WireClient.get(site, path.folder + "/manifest.plist")
            #expect(dead.status == 410)
        }
    }
}
