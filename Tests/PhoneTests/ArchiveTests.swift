import Bundles
import Cryptography
import Foundation
import NIOHTTP1
import Phone
import PropertyLists
import Testing

@Suite(.serialized) struct ArchiveTests {
    private static func outcome(
        _ persistence: SimulatedPhone.Persistence = .stopsLikeAPhone,
        _ change: (inout TestSite) throws -> Void,
    ) async throws -> Outcome {
        var site = try TestSite()
        try change(&site)
        return try await install(from: site) { $0.persistence = persistence }
    }

    @Test(arguments: [HTTPResponseStatus.forbidden, .methodNotAllowed])
    func `HEAD that is refused stops a phone`(status: HTTPResponseStatus) async throws {
        let change = { (site: inout TestSite) in
            site.replies["HEAD /app.ipa"] = { _ in ScriptedReply(status: status) }
        }
        let outcome = try await Self.outcome(.stopsLikeAPhone, change)
        #expect(outcome.fatal == [.archiveHead])
        #expect(outcome.attempt.failure?.shown?.contains("Unable to Download App") == true)
        #expect(outcome.requests.last?.method == .HEAD)
        let doctor = try await Self.outcome(.reportsEverything, change)
        #expect(doctor.fatal == [.archiveHead])
        #expect(doctor.attempt.step(.identity)?.outcome == .passed)
        #expect(!doctor.attempt.installs)
    }

    @Test func `HEAD that tells another length is found out`() async throws {
        let outcome = try await Self.outcome { site in
            site.replies["HEAD /app.ipa"] = { _ in
                ScriptedReply(
                    headers: [("Content-Type", "application/octet-stream"), ("ETag", "\"a1\"")],
                    length: 12,
                )
            }
            site.replies["GET /app.ipa"] = { request in
                request.headers.contains(name: "Range") ? ScriptedReply() : nil
            }
        }
        #expect(outcome.fatal == [.archiveLength])
        #expect(outcome.files == 0)
    }

    @Test func `an app that redirects stops a phone, and the doctor follows`() async throws {
        let change = { (site: inout TestSite) in
            site.packageURL = { $0 + "/moved.ipa" }
            for method in ["HEAD", "GET"] {
                site.replies["\(method) /moved.ipa"] = { _ in .redirect(to: "/app.ipa") }
            }
        }
        let outcome = try await Self.outcome(.stopsLikeAPhone, change)
        #expect(outcome.fatal == [.archiveRedirect])
        #expect(!outcome.requests.contains { $0.path == "/app.ipa" })
        let doctor = try await Self.outcome(.reportsEverything, change)
        #expect(doctor.fatal == [.archiveRedirect])
        #expect(doctor.attempt.step(.digests)?.outcome == .passed)
    }

    /// As a server with `--downloads redirect` does.
    @Test(arguments: [SimulatedPhone.Persistence.stopsLikeAPhone, .reportsEverything])
    func `a GET that redirects behind a good HEAD is followed with a warning`(
        persistence: SimulatedPhone.Persistence
    ) async throws {
        var site = try TestSite()
        let served = site
        site.replies["GET /app.ipa"] = { _ in .redirect(to: "/signed.ipa") }
        site.replies["GET /signed.ipa"] = { request in
            served.app(
                ScriptedRequest(
                    method: request.method,
                    path: "/app.ipa",
                    headers: request.headers,
                    base: request.base,
                )
            )
        }
        let outcome = try await install(from: site) {
            $0.persistence = persistence
            $0.cuts = [50_000]
        }
        #expect(outcome.attempt.installs)
        #expect(outcome.faults == [.archiveRedirect])
        #expect(outcome.arrived == site.archive)
    }

    @Test(arguments: ["/app.ipa", "http://localhost:1/app.ipa"])
    func `a GET that redirects in a circle or to plain HTTP is refused`(
        place: String
    ) async throws {
        let outcome = try await Self.outcome { site in
            site.replies["GET /app.ipa"] = { request in
                request.headers.contains(name: "Range") ? nil : .redirect(to: place)
            }
        }
        #expect(outcome.fatal == [place.hasPrefix("/") ? .archiveRedirect : .archivePlain])
        #expect(outcome.files == 0)
    }

    /// An error of the server says nothing about methods, rights, cookies or ranges.
    @Test(arguments: ["GET /", "GET /manifest.plist", "HEAD /app.ipa", "GET /app.ipa"])
    func `an error of the server is not explained by the request`(what: String) async throws {
        for status in [HTTPResponseStatus.internalServerError, .serviceUnavailable] {
            let outcome = try await Self.outcome(.reportsEverything) { site in
                if what != "GET /" {
                    site.replies["GET /"] = { request in
                        var page = ScriptedReply.text(
                            "<a href='itms-services://?action=download-manifest&amp;url=\(request.base)/manifest.plist'>"
                        )
                        page.headers.append(("Set-Cookie", "session=abc"))
                        return page
                    }
                }
                // With the cookie, which is sent second, the server has recovered.
                site.replies[what] = { request in
                    request.headers.contains(name: "Cookie") ? nil : ScriptedReply(status: status)
                }
            }
            let faults = outcome.attempt.faults.filter {
                $0.message.contains("status \(status.code)")
            }
            #expect(!faults.isEmpty)
            for fault in faults {
                #expect(fault.fix.contains("log"), "\(fault)")
                #expect(!fault.message.contains("cookie"), "\(fault)")
            }
            #expect(!outcome.attempt.installs)
        }
    }

    @Test func `an app behind the page's cookie is refused`() async throws {
        let outcome = try await Self.outcome { site in
            site.replies["GET /"] = { request in
                var page = ScriptedReply.text(
                    "<a href='itms-services://?action=download-manifest&amp;url=\(request.base)/manifest.plist'>"
                )
                page.headers.append(("Set-Cookie", "session=abc"))
                return page
            }
            site.replies["HEAD /app.ipa"] = { request in
                request.headers.contains(name: "Cookie") ? nil : .redirect(to: "/login")
            }
        }
        #expect(outcome.fatal == [.archiveCookie])
    }

    @Test func `a server without ranges warns and starts a cut download over`() async throws {
        var site = try TestSite()
        let served = site
        site.replies["GET /app.ipa"] = { request in
            var request = request
            request = ScriptedRequest(
                method: request.method,
                path: request.path,
                headers: [:],
                base: request.base,
            )
            return served.app(request)
        }
        let outcome = try await install(from: site) { $0.cuts = [50_000] }
        #expect(outcome.attempt.installs)
        #expect(outcome.faults == [.archiveNoRanges, .archiveChanged])
        #expect(outcome.arrived == site.archive)
    }

    @Test func `a wrong range is refused`() async throws {
        for range in ["bytes 1-1/5", "bytes 0-0/5", "bytes 0-1/309000", "0-0"] {
            let outcome = try await Self.outcome { site in
                site.replies["GET /app.ipa"] = { _ in
                    ScriptedReply(
                        status: .partialContent,
                        headers: [("Content-Range", range)],
                        body: [0x50],
                    )
                }
            }
            #expect(outcome.fatal == [.archiveWrongRange], "\(range)")
        }
    }

    @Test func `a resumed part from elsewhere is refused`() async throws {
        var site = try TestSite()
        let served = site
        site.replies["GET /app.ipa"] = { request in
            guard request.headers.contains(name: "If-Range") else { return nil }
            var reply = served.app(request)
            reply.headers.removeAll { $0.0 == "Content-Range" }
            reply.headers.append(("Content-Range", "bytes 1-9/\(served.archive.count)"))
            return reply
        }
        let outcome = try await install(from: site) { $0.cuts = [50_000] }
        #expect(outcome.fatal == [.archiveWrongRange])
        #expect(outcome.files == 0)
    }

    @Test func `one interruption by the server is resumed`() async throws {
        var site = try TestSite()
        let served = site
        site.replies["GET /app.ipa"] = { request in
            guard !request.headers.contains(name: "Range") else { return nil }
            var reply = served.app(request)
            reply.hangUp = 120_000
            return reply
        }
        let outcome = try await install(from: site)
        #expect(outcome.attempt.installs)
        #expect(outcome.arrived == site.archive)
        #expect(outcome.attempt.installation?.resumptions == 1)
    }

    @Test func `an app that always ends early is cut short`() async throws {
        let outcome = try await Self.outcome { site in
            site.tag = nil
            let served = site
            site.replies["GET /app.ipa"] = { request in
                guard !request.headers.contains(name: "Range") else { return nil }
                var reply = served.app(request)
                reply.hangUp = 120_000
                return reply
            }
        }
        #expect(outcome.fatal == [.archiveCutShort])
        #expect(outcome.attempt.step(.download)?.detail.contains("after 120,000 of") == true)
        #expect(outcome.files == 0)
    }

    @Test func `another app than the manifest's digests is stopped at the first wrong piece`()
        async throws
    {
        var site = try TestSite()
        var other = site.archive
        other[150_000] ^= 1
        let served = TestSiteCopy(site: site, archive: other)
        for method in ["HEAD", "GET"] {
            site.replies["\(method) /app.ipa"] = { served.reply($0) }
        }
        let outcome = try await install(from: site)
        #expect(outcome.fatal == [.digestMismatch])
        #expect(outcome.attempt.step(.digests)?.detail.contains("piece 2 of 4") == true)
        #expect(outcome.files == 0)
    }

    @Test func `digests of other forms are checked too`() async throws {
        let archive = try TestSite().archive
        let forms: [[String: PropertyList]] = [
            ["sha256": .string("\(SHA256Digest(of: archive))"), "sha256s": .string("ignored")],
            [:],
        ]
        for form in forms {
            let outcome = try await Self.outcome { site in
                site.archive = archive
                site.item = { item, base in
                    let asset: [String: PropertyList] = [
                        "kind": .string("software-package"), "url": .string(base + "/app.ipa"),
                    ]
                    item["assets"] = .array([.dictionary(asset.merging(form) { $1 })])
                }
            }
            #expect(outcome.attempt.installs)
            let expected: Step.Outcome = form.isEmpty ? .skipped : .passed
            #expect(outcome.attempt.step(.digests)?.outcome == expected)
        }
        let wrong = try await Self.outcome { site in
            site.item = { item, base in
                item["assets"] = .array([
                    .dictionary([
                        "kind": .string("software-package"), "url": .string(base + "/app.ipa"),
                        "md5": .string(String(repeating: "0", count: 32)),
                    ])
                ])
            }
        }
        #expect(wrong.fatal == [.digestMismatch])
    }

    @Test func `another type and a missing tag warn`() async throws {
        let outcome = try await Self.outcome { site in
            let served = site
            for method in ["HEAD", "GET"] {
                site.replies["\(method) /app.ipa"] = { request in
                    var reply = served.app(request)
                    reply.headers.removeAll { ["Content-Type", "ETag"].contains($0.0) }
                    reply.headers.append(("Content-Type", "text/plain"))
                    return reply
                }
            }
        }
        #expect(outcome.attempt.installs)
        #expect(Set(outcome.faults) == [.archiveType, .archiveNoTag])
    }

    @Test func `an app that is compressed on the way is refused`() async throws {
        let outcome = try await Self.outcome { site in
            site.replies["HEAD /app.ipa"] = { _ in
                ScriptedReply(
                    headers: [
                        ("Content-Type", "application/octet-stream"), ("ETag", "\"a\""),
                        ("Content-Encoding", "gzip"),
                    ]
                )
            }
        }
        #expect(outcome.fatal == [.archiveEncoded])
    }

    @Test func `a server that falls silent is not waited for`() async throws {
        var site = try TestSite()
        site.replies["HEAD /app.ipa"] = { _ in ScriptedReply(isSilent: true) }
        let outcome = try await install(from: site) { $0.timeouts.idle = 1 }
        #expect(outcome.fatal == [.connectionTimedOut])
    }
}

/// A site whose app is not the one for which its manifest was made.
private struct TestSiteCopy: Sendable {
    var site: TestSite

    init(site: TestSite, archive: [UInt8]) {
        self.site = site
        self.site.archive = archive
    }

    func reply(_ request: ScriptedRequest) -> ScriptedReply { site.app(request) }
}
