import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Cryptography
import Foundation
import Identifiers
import Releases

/// The argument and options of every command on one team.
struct NamedTeam: ParsableArguments {
    @Argument(help: "The team, by identifier.")
    var team: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions
}

struct TeamsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a team, its certificate and its profiles.",
        discussion: """
            Example:
              ota teams show ABCDE12345
            """,
    )

    @OptionGroup var named: NamedTeam

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(ShowTeam(named.team))
        let result = TeamResult(document: document, verb: nil, now: context.now())
        try context.show(result, json: named.output.json)
    }
}

struct TeamsRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a team and every copy of its keys in the store.",
        discussion: """
            Earlier backups still have the keys, sealed.
            Example:
              ota teams remove ABCDE12345
            """,
    )

    @OptionGroup var named: NamedTeam

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(RemoveTeam(named.team))
        try context.show(RemovedTeam(document: document), json: named.output.json)
    }
}

private struct RemovedTeam: CommandResult {
    let document: TeamDocument

    func text(style: Style) -> String {
        let team = document.team
        let name = team.name == team.identifier ? "" : " (\(team.name.printable))"
        let removed = "Removed the team \(style.strong(team.identifier))\(name)"
        guard let secrets = team.secretWords else { return removed + "." }
        return removed + " and \(secrets). Earlier backups still have them, sealed."
    }
}

/// One team; after a change, preceded by a sentence.
struct TeamResult: CommandResult {
    let document: TeamDocument
    /// What was done; nil if nothing was.
    let verb: String?
    let now: Date

    func text(style: Style) -> String {
        let team = document.team
        let head = verb.map { "\($0) the team \(style.strong(team.identifier))." }
        return [head, facts(style), profiles(style), keyFile(style)].compactMap(\.self)
            .joined(separator: "\n")
    }

    private func facts(_ style: Style) -> String {
        let team = document.team
        var lines = [
            style.strong(team.identifier)
                + (team.name == team.identifier ? "" : " \(team.name.printable)"),
            "added        \(Wording.day(team.added)) by \(team.addedBy.printable)",
            "apps         " + (team.apps.isEmpty ? "none" : team.apps.joined(separator: ", ")),
        ]
        if let identity = team.identity {
            lines += [
                "certificate  \(identity.commonName.printable)",
                "             \(identity.kind.rawValue), serial \(identity.serial), "
                    + "ends \(Wording.day(identity.expires))",
                "private key  sealed with key \(identity.sealedWith)",
            ]
        }
        if let account = team.account { lines += Self.facts(of: account, style) }
        if let obstacle = team.obstacle(at: now) {
            lines.append("state        " + style.bad("cannot sign: \(obstacle)"))
        }
        return lines.joined(separator: "\n")
    }

    private static func facts(of account: TeamAccountEntry, _ style: Style) -> [String] {
        let agreed = account.agreed.map { date in
            "changes by the server allowed on \(Wording.day(date)) by "
                + (account.agreedBy ?? "an admin").printable
        }
        var lines = [
            "account      API key \(account.keyID) of issuer \(account.issuer)",
            "             " + (agreed ?? "not changed by the server until `ota teams sync`"),
        ]
        if let snapshot = account.snapshot {
            let slots = snapshot.slots.map {
                "\($0.used) of \(Wording.count($0.limit, $0.family.title + " slot"))"
            }
            lines.append(
                "slots        "
                    + (slots.isEmpty ? "none used" : slots.joined(separator: ", "))
                    + ", as of \(Wording.moment(snapshot.date))"
            )
        }
        if let date = account.requested {
            lines.append("             requesting a certificate since \(Wording.moment(date))")
        }
        if let trouble = account.trouble {
            lines.append("trouble      " + style.bad(trouble.message.printable))
            lines.append("             fix: \(trouble.fix.printable)")
        }
        return lines
    }

    private func profiles(_ style: Style) -> String? {
        guard !document.team.profiles.isEmpty else { return nil }
        var table = Table(["PROFILE", "KIND", "BUNDLE", "DEVICES", "ENDS", "UUID"])
        for profile in document.team.profiles {
            let day = Wording.day(profile.expires)
            table.add([
                Table.Cell(profile.name, paint: style.strong),
                Table.Cell(profile.type.title),
                Table.Cell(profile.bundleIdentifier),
                Table.Cell(profile.devices.map(String.init) ?? "any"),
                profile.expires <= now ? Table.Cell(day, paint: style.bad) : Table.Cell(day),
                Table.Cell(profile.uuid, paint: style.faint),
            ])
        }
        return "\n" + table.text(style: style)
    }

    private func keyFile(_ style: Style) -> String? {
        document.createdKeyFile.map { path in
            "\n" + style.warning("Created the key file \(path.printable).")
                + " Keep a copy of it elsewhere: without it the private key cannot be used again."
        }
    }
}
