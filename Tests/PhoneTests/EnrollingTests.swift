import Bundles
import Cryptography
import Foundation
import Identifiers
import NIOHTTP1
import Phone
import PropertyLists
import Synchronization
import TestSupport
import Testing

/// A phone that enrols with correct and incorrect servers.
@Suite(.serialized) struct EnrollingTests {
    /// A server of invitations, and a test's changes to it.
    private struct Service: Sendable {
        var values: [String: PropertyList] = [
            "PayloadType": .string("Profile Service"), "PayloadVersion": .integer(1),
            "PayloadIdentifier": .string("ota.enrolment.x"), "PayloadUUID": .string("AB"),
        ]
        var attributes = ["UDID", "PRODUCT", "VERSION"]
        var url: @Sendable (_ base: String) -> String = { $0 + "/enrol/t" }
        var sign: @Sendable ([UInt8]) -> [UInt8] = { $0 }
        var type = "application/x-apple-aspen-config"
        var answer = ScriptedReply(
            status: .movedPermanently,
            headers: [("Location", "/enrolled/r")],
        )

        func reply(to request: ScriptedRequest) -> ScriptedReply {
            switch "\(request.method) \(request.path)" {
            case "GET /enrol":
                return .text("<form method=post action=\"/enrol\"><input name=\"code\"></form>")
            case "POST /enrol":
                return ScriptedReply(status: .seeOther, headers: [("Location", "/enrol/t")])
            case "GET /enrol/t":
                var page = ScriptedReply.text("<a class=b href='/enrol/t/p.mobileconfig'>Go</a>")
                page.headers.append(("Set-Cookie", "seen=1; Path=/; Secure"))
                return page
            case "GET /enrol/t/p.mobileconfig":
                var values = values
                values["PayloadContent"] = .dictionary([
                    "URL": .string(url(request.base)), "Challenge": .string("c&1"),
                    "DeviceAttributes": .array(attributes.map { .string($0) }),
                ])
                let profile = PropertyList.dictionary(values).xml()
                return ScriptedReply(headers: [("Content-Type", type)], body: sign(profile))
            case "POST /enrol/t": return answer
            case "GET /enrolled/r":
                var page = ScriptedReply.text("<h1>Welcome</h1>")
                page.headers.append(("Set-Cookie", "ota_device=d; Path=/; Secure; HttpOnly"))
                return page
            default: return ScriptedReply(status: .notFound)
            }
        }
    }

    private struct Outcome {
        let attempt: EnrolmentAttempt
        let requests: [ScriptedRequest]
        let phone: SimulatedPhone

        var faults: [FaultID] { attempt.faults.map(\.id) }
    }

    private static func enrol(
        _ service: Service = Service(),
        code: String? = nil,
        answer: [UInt8] = [1],
    ) async throws -> Outcome {
        let authority = try TestAuthority.shared.get()
        let security = ScriptedServer.Security(identity: try authority.server())
        return try await ScriptedServer.running(security, script: { service.reply(to: $0) }) {
            server,
            port in
            var phone = SimulatedPhone(
                downloads: FileManager.default.temporaryDirectory,
                trusting: [authority.root.certificate],
            )
            phone.udid = DeviceUDID("00008120-000A1B2C3D4E5F67")
            let page = "https://localhost:\(port)/enrol" + (code == nil ? "/t" : "")
            let attempt = await phone.enrol(from: page, code: code) { request in
                #expect(request.challenge == "c&1")
                return answer
            }
            let requests = server.requests.withLock { $0 }
            return Outcome(attempt: attempt, requests: requests, phone: phone)
        }
    }

    @Test(arguments: [nil, "123 456"])
    func `an invitation leads to a page and a cookie`(code: String?) async throws {
        let outcome = try await Self.enrol(code: code)
        #expect(outcome.attempt.arrives)
        #expect(outcome.attempt.faults.isEmpty)
        #expect(outcome.attempt.arrival?.html == "<h1>Welcome</h1>")
        #expect(outcome.attempt.arrival?.url.hasSuffix("/enrolled/r") == true)
        #expect(outcome.phone.cookies.names == ["seen", "ota_device"])
        #expect(outcome.attempt.step(.profileSignature)?.facts == ["Not Signed"])
        #expect(outcome.attempt.step(.code)?.outcome == (code == nil ? .skipped : .passed))
    }

    @Test func `Safari sends its cookies and the profile installer none`() async throws {
        let requests = try await Self.enrol().requests
        let posted = try #require(requests.first { $0.method == .POST })
        #expect(posted.headers["Cookie"].isEmpty)
        #expect(posted.headers["User-Agent"] == ["Profile/1.0"])
        #expect(posted.headers["Content-Type"] == ["application/pkcs7-signature"])
        for request in requests.dropFirst() where request.method == .GET {
            #expect(request.headers["Cookie"] == ["seen=1"], "\(request.path)")
        }
    }

    @Test func `an install page gets Safari's cookies, and the installer sends none`() async throws
    {
        let place = try #require(WebAddress("https://localhost"))
        let other = try #require(WebAddress("https://elsewhere.example"))
        let outcome = try await install(from: TestSite()) { phone in
            phone.cookies.take("ota_device=d; Path=/; Secure", from: place)
            phone.cookies.take("theirs=1; Path=/", from: other)
            phone.cookies.take("inside=1; Path=/admin", from: place)
            phone.cookies.take("over=1", from: place)
            phone.cookies.take("over=1; Max-Age=0", from: place)
        }
        #expect(outcome.attempt.installs)
        let page = try #require(outcome.requests.first)
        #expect(page.headers["Cookie"] == ["ota_device=d"])
        #expect(outcome.requests.count > 3)
        for request in outcome.requests.dropFirst() {
            #expect(request.headers["Cookie"].isEmpty, "\(request.path)")
        }
    }

    @Test func `the signature is shown as Settings shows it`() async throws {
        let known = try TestAuthority.shared.get().server()
        let stranger = try TestAuthority("Somebody Else").server()
        for (identity, words) in [(known, "Verified"), (stranger, "Unverified")] {
            var service = Service()
            service.sign = { (try? CMSSigner(identity).sign($0)) ?? [] }
            let outcome = try await Self.enrol(service)
            #expect(outcome.attempt.arrives)
            #expect(outcome.attempt.step(.profileSignature)?.facts.first == words)
        }
        var service = Service()
        service.sign = { content in
            var signed = (try? CMSSigner(known).sign(content)) ?? []
            guard let place = signed.firstRange(of: Array("ota.enrolment".utf8)) else { return [] }
            signed[place.lowerBound] = UInt8(ascii: "O")
            return signed
        }
        let forged = try await Self.enrol(service)
        #expect(forged.faults == [.enrolmentForged])
        #expect(!forged.requests.contains { $0.method == .POST })
    }

    @Test func `nothing but 301 to a web address ends well`() async throws {
        let cases: [(ScriptedReply, FaultID)] = [
            (.text("fine"), .answerNotMoved),
            (.redirect(to: "/enrolled/r"), .answerNotMoved),
            (ScriptedReply(status: .forbidden), .answerRefused),
            (ScriptedReply(status: .movedPermanently), .answerLocation),
        ]
        for (reply, fault) in cases {
            var service = Service()
            service.answer = reply
            let outcome = try await Self.enrol(service)
            #expect(!outcome.attempt.arrives)
            #expect(outcome.faults == [fault])
            #expect(outcome.attempt.failure?.shown?.contains("Invalid Profile") == true)
            #expect(outcome.attempt.step(.result)?.outcome == .skipped)
        }
    }

    @Test func `a profile that asks for more, or tells too much, is named`() async throws {
        var service = Service()
        service.attributes += ["SERIAL", "IMEI"]
        service.answer = ScriptedReply(
            status: .movedPermanently,
            headers: [
                ("Location", "/enrolled/00008120000a1b2c3d4e5f67"), ("Set-Cookie", "a=b"),
            ],
        )
        let outcome = try await Self.enrol(service)
        #expect(
            Set(outcome.faults) == [
                .enrolmentCurious, .answerCookie, .answerIdentifier, .pageStatus,
            ]
        )
        #expect(outcome.attempt.step(.profileRequest)?.detail.contains("SERIAL, IMEI") == true)
    }

    @Test func `a profile that iOS would not take ends there`() async throws {
        let changes: [(FaultID, @Sendable (inout Service) -> Void)] = [
            (.enrolmentType, { $0.type = "text/xml" }),
            (.enrolmentUnreadable, { $0.sign = { _ in Array("<html>".utf8) } }),
            (.enrolmentKind, { $0.values["PayloadType"] = .string("Configuration") }),
            (.enrolmentIncomplete, { $0.values["PayloadUUID"] = nil }),
            (.enrolmentPlain, { $0.url = { $0.replacing("https://", with: "http://") } }),
        ]
        for (fault, change) in changes {
            var service = Service()
            change(&service)
            let outcome = try await Self.enrol(service)
            #expect(outcome.faults == [fault])
            #expect(!outcome.requests.contains { $0.method == .POST })
        }
    }
}
