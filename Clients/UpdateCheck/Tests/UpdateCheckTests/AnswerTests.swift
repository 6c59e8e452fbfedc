import Foundation
import Testing

@testable import UpdateCheck

/// What is made of an answer, and what is asked.
struct AnswerTests {
    private static let server = URL(string: "https://ota.example.com:8443/team/")!
    private static let page = "https://ota.example.com:8443/team/apps/browsey"
    private static let install =
        "itms-services://?action=download-manifest&url=https%3A%2F%2Fota.example.com%3A8443%2Fteam%2Finstall%2Fx%2Fmanifest.plist"

    private static func answer(page: String = page, install: String? = install) -> Data {
        let link = install.map { "\"install\":\"\($0)\"," } ?? ""
        return Data(
            """
            {"schema":1,"channel":"stable","mandatory":true,"minimumVersion":"1.1","later":[1],
             "update":{"version":"1.2.0","build":"34","notes":"- Faster","published":"2026-11-21T09:30:00Z",
             "size":1234,"minimumOS":"16.4",\(link)"page":"\(page)"}}
            """.utf8
        )
    }

    @Test func `an answer is read, whatever keys are added to it`() throws {
        let update = try #require(try Answer.update(in: Self.answer(), from: Self.server))
        #expect(update.version == "1.2.0" && update.build == "34" && update.size == 1234)
        #expect(update.notes == "- Faster" && update.isMandatory)
        #expect(update.url.absoluteString == Self.install)
        let closed = try Answer.update(in: Self.answer(install: nil), from: Self.server)
        #expect(closed?.url.absoluteString == Self.page)
        let none = Data(#"{"schema":1,"channel":"stable","mandatory":false}"#.utf8)
        #expect(try Answer.update(in: none, from: Self.server) == nil)
    }

    @Test(arguments: [
        (Data("{}".utf8)), Data(), Data("<html>".utf8),
        answer(page: "https://elsewhere.example.com/apps/browsey"),
        answer(page: "http://ota.example.com/apps/browsey"), answer(page: "javascript:alert(1)"),
        answer(install: "https://ota.example.com/x"),
        answer(install: "itms-services://?action=download-manifest&url=https%3A%2F%2Felsewhere.com%2Fx"),
        answer(install: "itms-services://?action=download-manifest"), answer(install: ""),
    ])
    func `what leads elsewhere, or is no answer, is refused`(data: Data) {
        #expect(throws: UpdateCheckError.unreadable) {
            try Answer.update(in: data, from: Self.server)
        }
    }

    @Test func `all that is asked is encoded`() throws {
        let check = UpdateCheck(
            server: Self.server,
            app: "a/b?",
            channel: "beta",
            version: "1.2+5&x",
            build: "3 4",
            token: "ota_1"
        )
        let request = try check.request
        #expect(
            request.url?.absoluteString
                == "https://ota.example.com:8443/team/api/v1/apps/a%2Fb%3F/update?version=1.2%2B5%26x&build=3%204&channel=beta"
        )
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer ota_1")
        for url in ["http://ota.example.com", "file:///etc", "https:"] {
            let other = UpdateCheck(server: URL(string: url)!, app: "browsey")
            #expect(throws: UpdateCheckError.badServer) { try other.request }
        }
    }

    @Test(arguments: [
        (16, 4, 0, true), (16, 3, 9, false), (17, 0, 0, true), (15, 9, 0, false), (16, 4, 1, true),
    ])
    func `a build for a newer iOS is none for this one`(
        major: Int,
        minor: Int,
        patch: Int,
        runs: Bool
    ) throws {
        let update = try #require(try Answer.update(in: Self.answer(), from: Self.server))
        let os = OperatingSystemVersion(
            majorVersion: major,
            minorVersion: minor,
            patchVersion: patch
        )
        #expect(update.runs(on: os) == runs)
    }
}
