import Foundation
import TestSupport
import Testing

/// The sample team from docs/teams.md.
@Suite(.timeLimit(.minutes(10)))
struct SampleTeamTests {
    @Test func `the commands of the document make a team that can sign`() async throws {
        try await Workplace.run { place in
            let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
            let document = try String(
                contentsOf: root.appending(path: "docs/teams.md"),
                encoding: .utf8,
            )
            let section = try #require(
                document.components(separatedBy: "## A team to try things with").dropFirst().first
            )
            let commands = try #require(
                section.components(separatedBy: "```sh\n").dropFirst().first
            )
            let script = try #require(commands.components(separatedBy: "```").first)
            let folder = URL(filePath: place.programPath).deletingLastPathComponent().path()
            let outcome = try await Program(path: "/bin/bash").run(
                ["-euc", script],
                environment: [
                    "PATH": "\(folder):/usr/bin:/bin", "OTA_STORE": place.path("ota-store"),
                ],
                in: place.folder,
            )
            #expect(outcome.status == 0, "\(outcome)")
            let teams = try await place.ota("teams", "list").output
            #expect(teams.contains("OTASAMPLE1"))
            #expect(teams.contains("can sign"))
        }
    }
}
