import ArgumentParser
import Foundation
import Testing

@testable import OTACommands

/// Every command on a store works on a running server too, or there is a reason why not.
@Suite struct ServerOptionTests {
    /// The commands without `--server`, with the reasons; docs/admins.md has the same table.
    private static let local = [
        "ota validate":
            "checks a file; `ota devices check build.ipa --server` does so for a server's devices",
        "ota inspect": "shows a file",
        "ota version": "reads a checkout",
        "ota package": "packs a folder",
        "ota sign": "signs a file with a key on this machine",
        "ota sample": "creates a file",
        "ota doctor": "installs from any page, as a phone does",
        "ota completions": "prints a script for a shell",
        "ota serve": "is the server",
        "ota sign-in link": "is for people on the machine, when no other sign-in works",
        "ota store verify": "reads every byte of the store",
        "ota store backup": "copies the store",
        "ota store restore": "writes the store",
        "ota store copy": "copies a store's folder or bucket to another place",
        "ota store gc": "cleans up the store",
    ]

    @Test func `every command takes --server, or is known to stay on its machine`() throws {
        let commands = Self.commands(of: OTA.self, named: "ota")
        #expect(commands.count > 50)
        for (name, command) in commands {
            let help = OTA.helpMessage(for: command, columns: 200)
            let takesServer = help.contains("--server <url>")
            #expect(takesServer == (Self.local[name] == nil), "\(name)")
            guard takesServer else { continue }
            for option in [
                "--token-file <file>", "--ca-file <", "--fingerprint <", "HTTPS_PROXY",
                "NO_PROXY",
            ] {
                #expect(help.contains(option), "\(name) \(option)")
            }
        }
        let names = Set(commands.map(\.name))
        for name in Self.local.keys { #expect(names.contains(name), "there is no \(name)") }
    }

    @Test func `the guide says which commands stay on their machine, and why`() throws {
        let guide = URL(filePath: #filePath).appending(path: "../../../docs/admins.md")
        let text = try String(contentsOf: guide.standardizedFileURL, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `ota ") }
        let told = rows.filter { row in
            Self.local.contains { name, why in row == "| `\(name)` | \(why) |" }
        }
        #expect(told.count == Self.local.count, "\(rows)")
    }

    private static func commands(
        of command: any ParsableCommand.Type,
        named name: String,
    ) -> [(name: String, command: any ParsableCommand.Type)] {
        let configuration = command.configuration
        let below =
            configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        guard !below.isEmpty else { return [(name, command)] }
        return below.flatMap { inner in
            commands(of: inner, named: "\(name) \(inner._commandName)")
        }
    }
}
