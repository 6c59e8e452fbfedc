import ACME
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import HTTPServing
import NIOSSL
import Notices
import OTAServer
import Releases
import SiteServices
import Store
import Synchronization
import TestSupport
import Testing

/// Certificates from a real ACME server, which validates names on the ports of a real `ota` server.
@Suite(
    .enabled(if: Pebble.isHere, "pebble is missing: scripts/packages test installs it"),
    .timeLimit(.minutes(10)),
    .serialized,
)
struct ACMEServerTests {
    @Test
    func `a certificate is obtained in spite of bad nonces, and exchanged under a connection`()
        async throws
    {
        // Half of all nonces are rejected, and no authorization is reused.
        let moods = ["PEBBLE_WFE_NONCEREJECT": "50", "PEBBLE_AUTHZREUSE": "0"]
        try await ACMESite.run(pebble: moods) { place in
            #expect(try await place.waits { try await place.seen() })
            let first = try #require(try place.kept())
            #expect(Set(first.alternativeNames) == [ACMESite.host, ACMESite.other])
            #expect(try await place.request("/healthz", for: ACMESite.other) == 200)
            // The authority that phones had to trust before is gone from the pages.
            let trust = try await WireClient.connect(
                place.site.port,
                tls: try place.context(),
                name: ACMESite.host,
            ) { client in
                let answer = try await client.request("GET", "/trust", ["Host": ACMESite.host])
                // This connection stays open while the certificate is replaced.
                place.site.clock.advance(by: first.notAfter.timeIntervalSince(Date()) * 0.7)
                #expect(try await place.waits { try place.kept() != first })
                let again = try await client.request("GET", "/healthz", ["Host": ACMESite.host])
                #expect(again.status == 200)
                return answer.text
            }
            #expect(trust.contains("already trust"))
            #expect(try await place.waits { try await place.seen() })
            // The activity is recorded after the certificate has been replaced.
            let events = { try place.site.store.activity(count: 10).map(\.event) }
            #expect(
                try await place.waits { try events().count { $0 == .certificateObtained } == 2 }
            )
            #expect(try !events().contains(.certificateFailed))
        }
    }

    @Test func `a handshake alone proves the names of a server without a plain port`()
        async throws
    {
        try await ACMESite.run(hasPlainPort: false) { place in
            let isSeen = try await place.waits { try await place.seen() }
            #expect(isSeen)
            #expect(try place.record().trouble == nil)
        }
    }

    @Test func `a port that cannot be reached is named, and the other proof is tried`()
        async throws
    {
        let closed = try Pebble.Ports()
        try await withTemporaryFolder { folder in
            let ports = try Pebble.Ports()
            let asked = Pebble.Ports(http: closed.http, tls: ports.tls)
            try await Pebble.run(in: folder, proving: asked) { pebble in
                let settings = try ACMESite.settings(pebble)
                try await TestSite.run(configure: { configuration, _ in
                    configuration.port = ports.tls
                    configuration.plainPort = ports.http
                    configuration.baseURL = try BaseURL("https://\(ACMESite.host)")
                    configuration.otherHosts = ["localhost", "127.0.0.1"]
                    configuration.acme = settings
                }) { site in
                    let place = ACMESite(site: site, settings: settings)
                    #expect(try await place.waits { try place.record().trouble != nil })
                    let failure = try #require(try place.record().trouble?.failures.first)
                    #expect(failure.id == "acme.port-unreachable")
                    #expect(
                        failure.message.contains("port 80 of \(ACMESite.host) cannot be reached")
                    )
                    // Meanwhile the server uses the development certificate, and the overview says why.
                    let admin = try await AdminClient.admin(site)
                    let overview = try await admin.get("/admin").text
                    let title = "The server cannot get a certificate for ota.example.test"
                    #expect(overview.contains(title))
                    #expect(overview.contains("Port 80 of ota.example.test cannot be reached"))
                    let ready = try await WireClient.get(site, "/readyz")
                    #expect(ready.status == 200)
                    #expect(
                        ready.text.contains("ready\ncertificate: The server cannot get")
                    )
                    site.clock.advance(by: 120)
                    #expect(try await place.waits { try await place.seen() })
                    #expect(try place.record().trouble == nil)
                }
            }
        }
    }

    @Test func `two failures in a row reach the activity once`() async throws {
        try await ACMESite.run(asked: try Pebble.Ports()) { place in
            var draft = WebhookDraft(url: "https://hooks.example.com/a", kind: .json, by: "a test")
            draft.events = [.certificateFailed]
            let (webhook, now) = (draft, place.site.clock.now)
            try place.site.store.changeWebhooks {
                _ = try $0.add(webhook, at: now, random: randomBytes)
            }
            for attempts in 1...3 {
                #expect(
                    try await place.waits { try place.record().trouble?.attempts == attempts }
                )
                place.site.clock.advance(by: 7200)
            }
            #expect(try await place.waits { try place.record().trouble?.attempts == 4 })
            let told = try place.site.store.activity(count: 10)
                .filter { $0.event == .certificateFailed }
            #expect(told.count == 1)
            let detail = told.first?.detail ?? ""
            // The authority chooses which of the names it validates first.
            func namesOne(_ text: String) -> Bool {
                [ACMESite.host, ACMESite.other].contains { text.contains("\($0) on port 443") }
            }
            #expect(namesOne(detail), "\(detail)")
            let failures = try #require(try place.record().trouble?.failures)
            #expect(Set(failures.compactMap(\.challenge)) == [.http, .tls])
            func notices() throws -> [Notice] {
                try place.site.store.notices().outbox.waiting.map(\.notice)
                    .filter { $0.event == .certificateFailed }
            }
            #expect(try await place.waits { try !notices().isEmpty })
            #expect(try notices().count == 1)
            let message = try notices().first?.message ?? ""
            #expect(namesOne(message), "\(message)")
        }
    }

    @Test func `an order that is cut off at any request is continued`() async throws {
        let cuts = Cuts()
        try await ACMESite.run(
            pebble: ["PEBBLE_WFE_NONCEREJECT": "0", "PEBBLE_AUTHZREUSE": "0"],
            through: { Interrupting($0, cuts: cuts) },
        ) { place in
            let isSeen = try await place.waits { try await place.seen() }
            #expect(isSeen)
            #expect(cuts.count > 10)
            // There is one account, and few orders: those whose URL was lost with the response.
            #expect(try place.record().trouble == nil)
            #expect(try place.kept() != nil)
        }
    }

    @Test func `a restart uses the kept certificate and asks for no other`() async throws {
        try await withTemporaryFolder { folder in
            let ports = try Pebble.Ports()
            try await Pebble.run(in: folder, proving: ports) { pebble in
                let first = try ACMESite.settings(pebble)
                let kept = Mutex<[String: String]>([:])
                let names = ["acme-account.pem", "acme-certificate.pem", "acme.json"]
                func configure(
                    _ settings: ACMESettings
                ) -> (inout ServerConfiguration, URL) throws
                    -> Void
                {
                    { configuration, folder in
                        configuration.port = ports.tls
                        configuration.plainPort = ports.http
                        configuration.baseURL = try BaseURL("https://\(ACMESite.host)")
                        configuration.acme = settings
                        let store = try OTAStore.open(at: folder.appending(path: "store").path())
                        for (name, text) in kept.withLock({ $0 }) {
                            try store.keep(secret: text, as: name)
                        }
                    }
                }
                try await TestSite.run(configure: configure(first)) { site in
                    let place = ACMESite(site: site, settings: first)
                    #expect(try await place.waits { try await place.seen() })
                    #expect(try await place.waits { try place.record().trouble == nil })
                    for name in names {
                        let text = try site.store.secret(name)
                        let path = site.folder.appending(path: "store/keys/\(name)").path()
                        let facts = try FileManager.default.attributesOfItem(atPath: path)
                        #expect(facts[.posixPermissions] as? Int == 0o600)
                        kept.withLock { $0[name] = text }
                    }
                }
                let watched = Tampering(try CallClient(authorities: first.anchors)) { $1 }
                var watching = first
                watching.transport = watched
                let second = watching
                try await TestSite.run(configure: configure(second)) { site in
                    let place = ACMESite(site: site, settings: second)
                    let isSeen = try await place.seen()
                    #expect(isSeen)
                    #expect(site.addresses.trustURL == nil)
                    // The server checks the clock, and finds nothing to do.
                    try await Task.sleep(for: .milliseconds(500))
                    #expect(
                        try site.store.secret("acme-certificate.pem")
                            == kept.withLock { $0["acme-certificate.pem"] }
                    )
                    #expect(!watched.requests.contains { $0.method == "POST" })
                }
            }
        }
    }

    @Test func `a rate limit is respected until its end`() async throws {
        try await ACMESite.run(through: { transport in
            Tampering(transport) { request, answer in
                guard request.address.contains("order-plz"), request.body != nil else {
                    return answer
                }
                let problem = #"""
                    {"type": "urn:ietf:params:acme:error:rateLimited", "detail": "too many orders"}
                    """#
                return CallAnswer(
                    status: 429,
                    headers: ["retry-after": "86400"],
                    body: Array(problem.utf8),
                )
            }
        }) { place in
            #expect(try await place.waits { try place.record().trouble != nil })
            let trouble = try #require(try place.record().trouble)
            #expect(trouble.failures.first?.id == "acme.rate-limited")
            #expect(trouble.failures.first?.message.contains("too many orders") == true)
            #expect(trouble.next >= trouble.last.addingTimeInterval(86_400 - 2))
            place.site.clock.advance(by: 80_000)
            try await Task.sleep(for: .milliseconds(300))
            #expect(try place.record().trouble?.attempts == 1)
        }
    }

    @Test func `a certificate is renewed when its authority suggests it`() async throws {
        let window = Mutex<String?>(nil)
        let replaced = Mutex<[String]>([])
        try await ACMESite.run(through: { transport in
            Tampering(Suggesting(transport, window: { window.withLock { $0 } })) {
                request,
                answer in
                if request.address.contains("order-plz"), let name = Self.replaces(request.body) {
                    replaced.withLock { $0.append(name) }
                }
                return answer
            }
        }) { place in
            #expect(try await place.waits { try await place.seen() })
            let first = try #require(try place.kept())
            let now = place.site.clock.now.addingTimeInterval(40 * 86_400)
            let start = now.addingTimeInterval(-86_400).formatted(.iso8601)
            window.withLock {
                $0 = """
                    {"suggestedWindow": {"start": "\(start)", "end": "\(now.formatted(.iso8601))"}}
                    """
            }
            place.site.clock.advance(by: 41 * 86_400)
            #expect(try await place.waits { try place.kept() != first })
            let name = try #require(RenewalWindow.name(of: first))
            #expect(replaced.withLock { $0 }.contains(name))
        }
    }

    @Test func `a certificate of another name is not used, and the one before stays in use`()
        async throws
    {
        let other = try OwnAuthority()
        let pem = other.chain(try other.identity()).pem
        let isWrong = Mutex(false)
        try await ACMESite.run(through: { transport in
            Tampering(transport) { request, answer in
                guard request.address.contains("certZ"), isWrong.withLock({ $0 }) else {
                    return answer
                }
                return CallAnswer(
                    status: 200,
                    headers: answer.headers,
                    body: Array(pem.utf8),
                )
            }
        }) { place in
            #expect(try await place.waits { try await place.seen() })
            let first = try #require(try place.kept())
            isWrong.withLock { $0 = true }
            let life = first.notAfter.timeIntervalSince(first.notBefore)
            place.site.clock.advance(by: life * 0.7)
            #expect(try await place.waits { try place.record().trouble != nil })
            #expect(try place.record().trouble?.failures.first?.id == "acme.bad-certificate")
            #expect(try place.kept() == first)
            #expect(try await place.seen())
            isWrong.withLock { $0 = false }
            place.site.clock.advance(by: 120)
            #expect(try await place.waits { try place.kept() != first })
            #expect(try await place.waits { try place.record().trouble == nil })
            #expect(try await place.seen())
        }
    }

    @Test func `an address that no authority certifies is refused at the start`() async throws {
        await #expect(throws: ACMEFailure.unusableHost("192.168.1.5")) {
            try await TestSite.run(configure: { configuration, _ in
                configuration.baseURL = try BaseURL("https://192.168.1.5:8443")
                configuration.acme = ACMESettings(email: "ops@example.com")
            }) { _ in }
        }
    }

    /// The certificate that an order replaces, according to its signed payload.
    private static func replaces(_ body: [UInt8]?) -> String? {
        struct Signed: Decodable { let payload: String }
        struct Payload: Decodable { let replaces: String? }
        guard let body, let signed = try? JSONDecoder().decode(Signed.self, from: Data(body)),
            let payload = Base64URL.bytes(signed.payload)
        else { return nil }
        return try? JSONDecoder().decode(Payload.self, from: Data(payload)).replaces
    }
}
