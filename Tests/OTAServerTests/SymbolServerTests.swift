import APIDocuments
import Access
import Bytes
import Cryptography
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import Symbols
import TestSupport
import Testing
import Uploads
import Zip

/// dSYMs over the API and on the page of a release, over TLS.
@Suite(.timeLimit(.minutes(10)))
struct SymbolServerTests {
    private static let path = "/apps/com.example.demo/releases/1.2.0-34/symbols"
    private static let page = "/admin/apps/demo-co/1.2.0-34"

    /// The archive of the only dSYM, and its UUID.
    private static func archive() throws -> (bytes: [UInt8], uuid: ImageUUID) {
        let single = SingleSymbolFile(MemorySource(try SampleSymbols.file()), named: "Shop.app")
        let bundle = try #require(try SymbolSearch.bundles(in: single, of: "here").first)
        var bytes: [UInt8] = []
        try bundle.write { bytes += $0 }
        return (bytes, bundle.images[0].uuid)
    }

    /// Runs a site whose release has a program with the dSYM's UUID.
    private static func run(
        pace: Duration = .seconds(60),
        _ body: @Sendable @escaping (TestSite, [UInt8], ImageUUID) async throws -> Void,
    ) async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.uploads.symbols.pace = pace
        }) { site in
            let (bytes, uuid) = try archive()
            let programs = [
                ReleaseSymbols.Program(
                    path: "Shop",
                    images: [.init(architecture: "arm64", uuid: uuid)],
                )
            ]
            _ = try site.store.changeRelease(
                site.release.identifier,
                of: site.release.bundleIdentifier,
            ) { $0.symbols = ReleaseSymbols(programs: programs) }
            site.settle()
            try await body(site, bytes, uuid)
        }
    }

    private static func post(
        _ bytes: [UInt8],
        by client: APIClient,
        claiming length: Int? = nil,
    ) async throws -> APIResponse {
        try await WireClient.secure(client.site) { wire in
            try await wire.send(
                "POST /api/v1\(path) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(client.secret ?? "")\r\n"
                    + "Content-Type: application/zip\r\n"
                    + "Content-Length: \(length ?? bytes.count)\r\n\r\n"
            )
            if length == nil { try await wire.send(bytes) }
            return APIResponse(try await wire.response())
        }
    }

    @Test func `a dSYM is kept, listed, found by UUID, downloaded and removed`() async throws {
        try await Self.run { site, bytes, uuid in
            let publisher = try APIClient.holding("publish:com.example.demo", on: site)
            let kept = try await Self.post(bytes, by: publisher)
            #expect(kept.status == 200)
            let document = try kept.document(SymbolsDocument.self)
            #expect(document.added == ["Shop.app.dSYM"] && document.unmatched == [])
            let digest = SHA256Digest(of: bytes)
            #expect(document.symbols.map(\.sha256) == ["\(digest)"], "it is kept as it came")
            #expect(try site.store.bytes(of: digest) == bytes)
            site.settle()
            let reader = try APIClient.holding("read:com.example.demo", on: site)
            let listed = try await reader.get(Self.path).document(SymbolsDocument.self)
            #expect(listed.programs.map(\.hasSymbols) == [true])
            let found = try await reader.get("/symbols?uuids=\(uuid)")
                .document(FoundSymbolsDocument.self)
            #expect(found.symbols.map(\.release) == ["1.2.0-34"])
            let file = try await reader.get("\(Self.path)/\(uuid.digits)")
            #expect(file.status == 200 && file.wire.body == bytes)
            #expect(file.wire.fields["content-disposition"]?.contains("Shop.app.dSYM.zip") == true)
            let denied = try await reader.send("DELETE", "/api/v1\(Self.path)/\(uuid)")
            #expect(denied.status == 403)
            let removed = try await publisher.send("DELETE", "/api/v1\(Self.path)/\(uuid)")
            #expect(try removed.document(SymbolsDocument.self).symbols.isEmpty)
            site.settle()
            let told = try site.store.activity(count: 1).first
            #expect(told?.event == .symbolsRemoved && told?.actor.isEmpty == false)
            #expect(try await reader.get("\(Self.path)/\(uuid)").refusal == "symbols.unknown")
        }
    }

    @Test func `a token of another app finds nothing, whatever UUID it asks for`() async throws {
        try await Self.run { site, bytes, uuid in
            let publisher = try APIClient.holding("publish:com.example.demo", on: site)
            #expect(try await Self.post(bytes, by: publisher).status == 200)
            try TestSite.publish([1, 2, 3], into: site.store, of: "com.example.other")
            site.settle()
            let other = try APIClient.holding("publish:com.example.other", on: site)
            let found = try await other.get("/symbols?uuids=\(uuid)")
            #expect(try found.document(FoundSymbolsDocument.self).symbols.isEmpty)
            for response in [
                try await other.get(Self.path), try await other.get("\(Self.path)/\(uuid)"),
                try await Self.post(bytes, by: other),
                try await other.send("DELETE", "/api/v1\(Self.path)/\(uuid)"),
            ] {
                #expect(response.status == 404 && response.refusal == "app.unknown")
            }
            let nobody = APIClient(site: site, secret: nil)
            #expect(try await nobody.get("\(Self.path)/\(uuid)").status == 401)
            #expect(try await WireClient.get(site, "\(Self.page)/symbols/\(uuid)").status == 401)
        }
    }

    @Test func `what is no archive of dSYMs of the release is refused and not kept`() async throws {
        try await Self.run { site, bytes, _ in
            let publisher = try APIClient.holding("publish", on: site)
            let before = try site.store.backend.blobs().count
            #expect(try await Self.post(Array("text".utf8), by: publisher).status == 422)
            let empty = try ZipWriter.archive { try $0.add("a.txt", contents: [1]) }
            #expect(try await Self.post(empty, by: publisher).refusal == "symbols.none")
            let stranger = try ZipWriter.archive { zip in
                let other = try SampleSymbols.file(uuid: Array(1...16))
                try zip.add("A.dSYM/Contents/Resources/DWARF/A", contents: other)
            }
            #expect(try await Self.post(stranger, by: publisher).refusal == "symbols.unmatched")
            let huge = try await Self.post([], by: publisher, claiming: 3 << 30)
            #expect(huge.status == 413)
            for query in ["", "?uuids=", "?uuids=x", "?uuids=,", "?uuid=1"] {
                #expect(
                    [400, 422].contains(try await publisher.get("/symbols" + query).status),
                    "\(query)",
                )
            }
            #expect(try site.store.backend.blobs().count == before)
            let incoming = site.folder.appending(path: "store/incoming").path()
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
        }
    }

    @Test func `an archive that does not come gives its place to others`() async throws {
        try await Self.run(pace: .milliseconds(200)) { site, _, _ in
            let publisher = try APIClient.holding("publish", on: site)
            // A request that announces a body and sends none.
            let path = "/api/v1\(Self.path)"
            let secret = publisher.secret ?? ""
            let answer = try await WireClient.secure(site) { wire in
                try await wire.send(
                    "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
                        + "Authorization: Bearer \(secret)\r\n"
                        + "Content-Type: application/zip\r\nContent-Length: 1000\r\n\r\n"
                )
                return APIResponse(try await wire.response())
            }
            #expect(answer.status == 400 && answer.refusal == "symbols.too-slow")
        }
    }

    @Test func `the page of a release has its dSYMs, and reads a crash report with them`()
        async throws
    {
        try await Self.run { site, bytes, uuid in
            let publisher = try APIClient.holding("publish", on: site)
            #expect(try await Self.post(bytes, by: publisher).status == 200)
            site.settle()
            let reader = try await AdminClient.admin(
                site,
                Scope(.read, app: site.release.bundleIdentifier),
            )
            let page = try await reader.get(Self.page)
            #expect(page.text.contains("1 of 1 binary has a dSYM."))
            let link = "\(Self.page)/symbols/\(uuid.digits)"
            #expect(page.text.contains("href=\"\(link)\""))
            #expect(try await reader.get(link).body == bytes)
            #expect(try await reader.get(Self.page + "/symbols/x").status == 404)
            let report = SampleSymbols.report(uuid: "\(uuid)")
            let shown = try await reader.send(
                Self.page + "/crash",
                [:],
                file: ("crash", "Shop.ips", report),
            )
            #expect(shown.status == 200)
            for words in [
                "Symbolicated all frames of the app (3).", "Basket.take", "Basket.swift:11 · Shop",
                "loader.c:9", "Thread 0, which crashed", "EXC_BAD_ACCESS (SIGSEGV)",
                "the basket was \\u{1B}[31mempty",
            ] {
                #expect(shown.text.contains(words), "\(words)")
            }
            let refused = try await reader.send(
                Self.page + "/crash",
                [:],
                file: ("crash", "x.ips", "hello"),
            )
            #expect(refused.status == 422 && refused.text.contains("not a crash report"))
            let large = String(repeatElement("x", count: (2 << 20) + 20_000))
            let tooLarge = try await reader.send(
                Self.page + "/crash",
                [:],
                file: ("crash", "x.ips", large),
            )
            #expect(tooLarge.status == 413)
            #expect(
                tooLarge.text.contains("<body class=\"admin\""),
                "the page of an admin says so",
            )
            // The request is refused without a byte of its body.
            let huge = try await WireClient.secure(site) { client in
                try await client.send(
                    "POST \(Self.page)/crash HTTP/1.1\r\nHost: localhost\r\n"
                        + "Cookie: __Host-ota_admin=\(reader.cookie)\r\n"
                        + "Content-Type: multipart/form-data; boundary=x\r\n"
                        + "Content-Length: 400000000\r\n\r\n"
                )
                return try await client.response()
            }
            #expect(huge.status == 413 && huge.text.contains("<body class=\"admin\""))
        }
    }
}
