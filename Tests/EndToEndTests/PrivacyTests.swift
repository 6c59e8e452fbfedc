import Bundles
import Foundation
import Identifiers
import Phone
import Releases
import Sample
import Store
import TestSupport
import Testing

/// Device identifiers are in the register, and in nothing else that the server writes or shows.
@Suite(.timeLimit(.minutes(10)))
struct PrivacyTests {
    @Test func `no identifier of a device leaves the register`() async throws {
        let udids = Array(SampleDevices.list(8))
        let now = Date()
        let ota = try #require(Program(built: "ota"))
        let log = try await LiveServer.run { server in
            for udid in udids {
                let added = try await ota.run(
                    ["devices", "add", udid, "--store", server.storePath],
                    in: server.folder,
                )
                try #require(added.status == 0, "\(added.errors)")
            }
            let removed = try await ota.run(
                ["devices", "remove", udids[7], "--store", server.storePath],
                in: server.folder,
            )
            #expect(removed.status == 0)
            let build = try await server.publish(SampleApps.browsey(by: server.authority, at: now))
            let phone = try await server.phone { $0.udid = .init(udids[0]) }
            #expect(try await phone.bytes(from: server.page(of: build)) == build.bytes)

            let browser = try Browser(like: phone)
            var answers: [String] = []
            for path in [
                "/", "/apps/\(build.app.slug)", "/apps/\(build.app.slug)/history", "/metrics",
                "/trust", "/readyz",
            ] {
                answers.append(try await browser.get(server.base + path).text)
            }
            for path in [
                "/apps/\(udids[0])", "/apps/\(build.app.slug)?channel=\(udids[1])",
                "/install/\(udids[2])/manifest.plist", "/enrol/\(udids[3])",
                "/apps/\(build.app.slug)/\(udids[4])", "/api/v1/devices/\(udids[5])",
            ] {
                let answer = try await browser.get(
                    server.base + path,
                    fields: ["User-Agent": udids[6], "Referer": "https://x/\(udids[6])"],
                )
                #expect(answer.status >= 400 || answer.status == 200, "\(path)")
                answers.append(answer.text)
            }
            let made = try await ota.run(
                [
                    "tokens", "create", "--name", "watch", "--scope", "read", "--store",
                    server.storePath,
                ],
                in: server.folder,
            )
            let token = try #require(
                made.output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("ota_") }
            )
            let metrics = try await browser.get(
                server.base + "/metrics",
                fields: ["Authorization": "Bearer \(token)"],
            )
            #expect(metrics.text.contains("ota_requests_total"))
            answers.append(metrics.text)
            for (number, answer) in answers.enumerated() {
                #expect(!Self.names(any: udids, answer), "answer \(number)")
            }
            let files = try FileManager.default.subpathsOfDirectory(atPath: server.storePath)
            let activity = files.filter { $0.hasPrefix("activity/") && $0.hasSuffix(".jsonl") }
            #expect(!activity.isEmpty)
            for file in activity {
                let text = try String(
                    contentsOfFile: server.storePath + "/" + file,
                    encoding: .utf8,
                )
                #expect(text.contains("device"))
                #expect(!Self.names(any: udids, text), "\(file)")
            }
            let register = try String(
                contentsOfFile: server.storePath + "/devices.json",
                encoding: .utf8,
            )
            #expect(Self.names(any: udids, register), "the search finds what is there")
        }
        #expect(log.split(separator: "\n").count > 10)
        #expect(!Self.names(any: udids, log), "the log")
    }

    /// Searches for each identifier as it is, in lower case, and without its hyphen.
    private static func names(any udids: [String], _ text: String) -> Bool {
        let flat = text.lowercased().replacing("-", with: "")
        return udids.contains { flat.contains($0.lowercased().replacing("-", with: "")) }
    }
}
