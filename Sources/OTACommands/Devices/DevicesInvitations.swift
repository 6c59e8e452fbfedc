import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Enrolment
import Foundation
import Releases

struct DevicesInvitations: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitations",
        abstract: "List open invitations, or revoke one.",
        discussion: """
            Example:
              ota devices invitations
              ota devices invitations revoke 4f1d0c9a83b2e675
            """,
        subcommands: [InvitationsList.self, InvitationsRevoke.self],
        defaultSubcommand: InvitationsList.self,
    )
}

struct InvitationsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List open invitations.",
        discussion: """
            Example:
              ota devices invitations list --all
            """,
    )

    @Flag(help: "Include invitations used, revoked or expired in the last 30 days.")
    var all = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let document = try await administration.perform(ListInvitations(all: all))
        try context.show(InvitationTable(document: document), json: output.json)
    }
}

struct InvitationsRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an invitation.",
        discussion: """
            With --json, prints the open invitations that are left.
            Example:
              ota devices invitations revoke 4f1d0c9a83b2e675
            """,
    )

    @Argument(help: "The invitation's identifier.")
    var identifier: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let revoked = try await administration.perform(RevokeInvitation(identifier))
        let document = try await administration.perform(ListInvitations(all: false))
        let result = RevokedInvitation(document: document, name: revoked.invitation.name)
        try context.show(result, json: output.json)
    }
}

private struct RevokedInvitation: CommandResult {
    let document: InvitationsDocument
    let name: String

    func text(style: Style) -> String {
        "Revoked the invitation \(style.strong(name.printable)); its link no longer works."
    }
}

private struct InvitationTable: CommandResult {
    let document: InvitationsDocument

    func text(style: Style) -> String {
        var table = Table(["NAME", "STATE", "USED", "OPENED", "UNTIL", "IDENTIFIER"])
        for invitation in document.invitations {
            table.add([
                Table.Cell(invitation.name, paint: style.strong),
                Table.Cell(invitation.state.rawValue),
                Table.Cell("\(invitation.used.grouped) of \(invitation.uses.grouped)"),
                Table.Cell(invitation.opened.map { Wording.day($0) } ?? "–"),
                Table.Cell(Wording.day(invitation.expires)),
                Table.Cell(invitation.identifier, paint: style.faint),
            ])
        }
        return table.isEmpty
            ? "No open invitations: ota devices invite --name Ana" : table.text(style: style)
    }
}
