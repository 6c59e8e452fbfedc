import Cryptography
import Foundation
import OTAClient
import Synchronization
import TestSupport
import Testing
import Uploads

/// How a publisher reacts to the responses of servers, and of proxies in front of them.
struct UploadConversationTests {
    private struct Conversation {
        var answer: UploadAnswer?
        var failure: UploadFailure?
        /// The pauses, in seconds.
        var pauses: [Double] = []
        /// The requests, such as `PATCH 3`: the method, and the offset of the bytes.
        var requests: [String] = []
    }

    /// Publishes six bytes to a server with these responses.
    private func publish(
        hearing answers: [String],
        checkOnly: Bool = false,
    ) async throws -> Conversation {
        var conversation = Conversation()
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "build.ipa")
            try Data("abcdef".utf8).write(to: file)
            try await ScriptedServer.run(saying: answers) { server in
                let pauses = Mutex<[Double]>([])
                let client = UploadClient(
                    over: try server.connection(),
                    pause: { seconds in pauses.withLock { $0.append(seconds) } },
                    chance: { 0 },
                )
                var offer = UploadOffer(size: 6, sha256: SHA256Digest(of: Array("abcdef".utf8)))
                offer.checkOnly = checkOnly
                do throws {
                    conversation.answer = try await client.publish(offer, from: file.path())
                } catch let failure as UploadFailure {
                    conversation.failure = failure
                }
                conversation.pauses = pauses.withLock { $0 }
                conversation.requests = Self.requests(in: server.heardText)
            }
        }
        return conversation
    }

    private static func requests(in heard: String) -> [String] {
        var requests: [String] = []
        for line in heard.split(separator: "\r\n") {
            // A body may be in front of the next request's first word.
            let words = line.split(separator: " ")
            let method = ["POST", "PATCH", "HEAD", "GET", "DELETE"].first {
                words.first?.hasSuffix($0) == true
            }
            if words.last == "HTTP/1.1", let method { requests.append(method) }
            if words.first?.lowercased() == "upload-offset:", let offset = words.last {
                requests[requests.count - 1] += " \(offset)"
            }
        }
        return requests
    }

    private static func said(
        _ status: Int,
        _ fields: [String] = [],
        json: String? = nil,
        html: String? = nil,
    ) -> String {
        let body = json ?? html ?? ""
        let type = json == nil ? "text/html" : "application/json"
        let head =
            ["HTTP/1.1 \(status) Said", "Content-Type: \(type)"] + fields
            + (status == 204 ? [] : ["Content-Length: \(body.utf8.count)"])
        return head.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private static let upload = "0123456789abcdef0123456789abcdef"

    private static let begun = said(
        201,
        ["Location: /api/v1/uploads/\(upload)", "Upload-Offset: 0", "Upload-Complete: ?0"],
        json: "{}",
    )
    private static let accepted = said(202, json: "{}")
    private static let finished = said(
        200,
        json: """
            {"answer":{"created":true},"offset":6,"schema":1,"size":6,"state":"finished","status":201,\
            "upload":"\(upload)"}
            """,
    )
    private static func stands(_ offset: Int, _ state: String, failing: Bool = false) -> String {
        said(
            200,
            json: (failing ? #"{"answer":{},"status":503,"# : "{")
                + #""offset":\#(offset),"schema":1,"size":6,"state":"\#(state)","#
                + #""upload":"\#(upload)"}"#,
        )
    }
    private static let unknown = said(
        404,
        json: #"{"error":{"id":"upload.unknown","message":"x","place":"","fix":""}}"#,
    )
    private static let error =
        "{\"error\":{\"id\":\"x\",\"message\":\"x\",\"place\":\"\",\"fix\":\"\"}}"

    private static func has(_ offset: Int, isComplete: Bool = false) -> String {
        said(204, ["Upload-Offset: \(offset)", "Upload-Complete: \(isComplete ? "?1" : "?0")"])
    }

    @Test func `a server that asks for half a minute gets it`() async throws {
        let busy = Self.said(503, ["Retry-After: 30"], json: Self.error)
        let told = try await publish(hearing: [busy, Self.begun, Self.accepted, Self.finished])
        #expect(told.pauses == [30])
        #expect(told.answer == UploadAnswer(status: 201, body: #"{"created":true}"#))
        #expect(told.requests == ["POST", "POST", "PATCH 0", "GET"])
    }

    @Test func `a server that would publish what is only to be checked gets no byte`() async throws
    {
        let told = try await publish(hearing: [Self.begun, Self.said(204)], checkOnly: true)
        #expect(told.failure == .noChecks)
        #expect(told.requests == ["POST", "DELETE"])
    }

    @Test func `what was checked is removed`() async throws {
        let begun = Self.said(
            201,
            [
                "Location: /api/v1/uploads/\(Self.upload)", "Upload-Offset: 0",
                "Upload-Complete: ?0",
            ],
            json: """
                {"checkOnly":true,"offset":0,"schema":1,"size":6,"state":"receiving",\
                "upload":"\(Self.upload)"}
                """,
        )
        let checked = Self.said(
            200,
            json: """
                {"answer":{"created":true},"checkOnly":true,"offset":6,"schema":1,"size":6,\
                "state":"checked","status":200,"upload":"\(Self.upload)"}
                """,
        )
        let told = try await publish(
            hearing: [begun, Self.accepted, checked, Self.said(204)],
            checkOnly: true,
        )
        #expect(told.answer == UploadAnswer(status: 200, body: #"{"created":true}"#))
        #expect(told.requests == ["POST", "PATCH 0", "GET", "DELETE"])
    }

    @Test func `one that asks for a quarter of an hour is given up at once`() async throws {
        let told = try await publish(
            hearing: [Self.said(429, ["Retry-After: 900"], json: Self.error)]
        )
        guard case .unable(let answer, retryAfter: 900) = told.failure else {
            Issue.record("\(told)")
            return
        }
        #expect(answer.status == 429)
        #expect(told.pauses.isEmpty && told.requests == ["POST"])
    }

    @Test(arguments: [401, 403, 409, 413, 422, 507])
    func `a refusal is the last word`(status: Int) async throws {
        let told = try await publish(hearing: [Self.said(status, json: Self.error)])
        #expect(told.answer?.status == status)
        #expect(told.pauses.isEmpty && told.requests == ["POST"])
    }

    @Test(arguments: [301, 302, 307, 404])
    func `what is no answer of ours is not followed`(status: Int) async throws {
        let elsewhere = Self.said(status, ["Location: https://127.0.0.1:1/"], html: "<p>moved")
        let told = try await publish(hearing: [elsewhere])
        #expect(told.failure == .notOurs(status: status))
        #expect(told.pauses.isEmpty && told.requests == ["POST"])
    }

    @Test func `behind a cut it goes on where the server says`() async throws {
        let told = try await publish(
            hearing: [Self.begun, "", Self.has(3), Self.accepted, Self.finished]
        )
        #expect(told.answer?.status == 201)
        #expect(told.requests == ["POST", "PATCH 0", "HEAD", "PATCH 3", "GET"])
    }

    @Test func `an upload that the server has forgotten is begun anew`() async throws {
        let told = try await publish(
            hearing: [
                Self.begun, "", Self.said(404), Self.begun, Self.accepted, Self.finished,
            ]
        )
        #expect(told.answer?.status == 201)
        #expect(told.requests == ["POST", "PATCH 0", "HEAD", "POST", "PATCH 0", "GET"])
    }

    @Test func `a proxy that takes no piece at all is named after four sizes`() async throws {
        let large = Self.said(413, html: "<h1>nginx")
        let told = try await publish(
            hearing: [
                Self.begun, large, Self.has(0), large, Self.has(0), large, Self.has(0), large,
            ]
        )
        #expect(told.failure == .notOurs(status: 413))
        #expect(told.requests.count { $0 == "PATCH 0" } == 4)
    }

    @Test func `a proxy's mishap while the server publishes loses nothing`() async throws {
        let told = try await publish(
            hearing: [
                Self.begun, Self.accepted, Self.said(502, html: "<h1>Bad gateway"),
                Self.has(6, isComplete: true), Self.finished,
            ]
        )
        #expect(told.answer?.status == 201)
        #expect(told.requests == ["POST", "PATCH 0", "GET", "HEAD", "GET"])
    }

    @Test func `a server that publishes in vain again and again is given up`() async throws {
        let round = [
            Self.accepted, Self.stands(6, "publishing"),
            Self.stands(6, "receiving", failing: true), Self.has(6),
        ]
        let rounds = Array(repeating: round, count: UploadPatience().tries).flatMap(\.self)
        let told = try await publish(
            hearing: [Self.begun] + rounds + [Self.accepted, Self.finished]
        )
        guard case .unable(let answer, retryAfter: nil) = told.failure else {
            Issue.record("\(told)")
            return
        }
        #expect(answer.status == 503)
        #expect(told.requests.count { $0.hasPrefix("PATCH") } == UploadPatience().tries)
        #expect(told.pauses.max() == UploadPatience().longest / 2)
    }

    @Test(arguments: [429, 502, 507])
    func `where the server cannot tell the offset now, it is asked again`(
        status: Int
    ) async throws {
        let told = try await publish(
            hearing: [Self.begun, "", Self.said(status), Self.has(3), Self.accepted, Self.finished]
        )
        #expect(told.answer?.status == 201, "\(told)")
        #expect(told.requests == ["POST", "PATCH 0", "HEAD", "HEAD", "PATCH 3", "GET"])
    }

    @Test func `where nobody may ask for the offset, the state tells it`() async throws {
        let front = [Self.begun, "", Self.said(403)]
        let told = try await publish(
            hearing: front + [Self.stands(3, "receiving"), Self.accepted, Self.finished]
        )
        #expect(told.answer?.status == 201, "\(told)")
        #expect(told.requests == ["POST", "PATCH 0", "HEAD", "GET", "PATCH 3", "GET"])
        let whole = try await publish(hearing: front + [Self.finished])
        #expect(whole.answer?.status == 201, "\(whole)")
        let other = try await publish(hearing: front + [Self.said(200, json: "{}")])
        #expect(other.answer == nil && other.failure?.id == "server.not-understood", "\(other)")
    }

    @Test func `one that is unknown to the bytes or to whoever waits is begun anew`() async throws {
        let again = [Self.begun, Self.accepted, Self.finished]
        let bytes = try await publish(hearing: [Self.begun, Self.unknown] + again)
        #expect(bytes.answer?.status == 201, "\(bytes)")
        #expect(bytes.requests == ["POST", "PATCH 0", "POST", "PATCH 0", "GET"])
        let waiting = try await publish(hearing: [Self.begun, Self.accepted, Self.unknown] + again)
        #expect(waiting.answer?.status == 201, "\(waiting)")
        #expect(waiting.requests == ["POST", "PATCH 0", "GET", "POST", "PATCH 0", "GET"])
    }

    @Test func `a server that forgets every upload has the last word`() async throws {
        let rounds = Array(repeating: [Self.begun, Self.unknown], count: 9).flatMap(\.self)
        let told = try await publish(hearing: rounds + [Self.begun, Self.accepted, Self.finished])
        #expect(told.answer?.status == 404, "\(told)")
        #expect(told.requests.count { $0 == "POST" } == 9)
    }
}
