import Foundation
import Sample
import TestSupport
import Testing

/// A runner of a server: the agent as a process, with the stand-in for Xcode first in its `PATH`.
struct MacRunner: Sendable {
    private struct Added: Decodable {
        let command: String?
    }

    let agent: RunningProgram
    private let server: ServedStore

    /// Runs `ota runners add`, and the command that it prints.
    ///
    /// - Parameters:
    ///   - server: the server, whose base URL the runner uses.
    ///   - schemes: the sample app of each scheme.
    ///   - mirrors: the mirrors for which the runner builds.
    /// - Throws: an error if a command fails.
    init(
        on server: ServedStore,
        building schemes: [String: String],
        for mirrors: [String],
    ) async throws {
        self.server = server
        let keys = server.folder.appending(path: "authority.pem")
        try Data(server.authority.privatePEM.utf8).write(to: keys)
        let xcode = try StandInXcode(
            in: server.folder.appending(path: "xcode"),
            ota: server.program,
            authority: keys,
            schemes: schemes,
            signs: true,
        )
        // Only macOS has keychains. The real program does not print its arguments; this one does, to test the
        // masking.
        let security = xcode.bin.appending(path: "security")
        try Data("#!/bin/sh\necho \"security $*\"\n".utf8).write(to: security)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: security.path(),
        )
        let added = try await server.program.run(
            ["runners", "add", "mac-1", "--label", "mac", "--label", "xcodegen", "--json"]
                + mirrors.flatMap { ["--mirror", $0] },
            environment: ["OTA_STORE": "./store"],
            in: server.folder,
        )
        try #require(added.status == 0, "\(added.errors)")
        let command = try #require(
            try JSONDecoder().decode(Added.self, from: Data(added.output.utf8)).command
        )
        let words = command.replacing("'", with: "").split(separator: " ").map(String.init)
        let start = try #require(words.firstIndex(of: "--server"))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        agent = try Program(path: "/usr/bin/env").start(
            ["python3", "-B", RunnerRoom.script, "--folder", server.folder.path() + "agent"]
                + words[start...],
            environment: ["PATH": "\(xcode.bin.path()):\(path)"],
            in: server.folder,
            errors: server.folder.appending(path: "agent.errors"),
        )
        var line = try #require(await agent.line())
        while !line.contains("waits for work") { line = try #require(await agent.line()) }
    }

    /// The agent's token.
    var token: String {
        get throws {
            let file = server.folder.appending(path: "agent/token")
            return try String(contentsOf: file, encoding: .utf8).trimmingSuffix("\n")
        }
    }

    /// Ends the agent as its owner does.
    func end() async throws {
        agent.send(SIGTERM)
        #expect(try await agent.status() == 0)
    }

    /// What builds have left behind: workspaces of the agent, and running processes.
    func leftovers() throws -> [String] {
        let work = server.folder.path() + "agent/work"
        let isThere = FileManager.default.fileExists(atPath: work)
        let folders = isThere ? try FileManager.default.contentsOfDirectory(atPath: work) : []
        let place = server.folder.lastPathComponent
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter {
            name in
            let file = URL(filePath: "/proc/\(name)/environ")
            guard Int(name) != nil, let data = try? Data(contentsOf: file) else { return false }
            return String(decoding: data, as: UTF8.self).split(separator: "\0").contains {
                $0.hasPrefix("OTA_WORKSPACE=") && $0.contains(place)
            }
        }
        return folders + processes
    }
}
