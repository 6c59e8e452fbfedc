import ArgumentParser
import Enrolment
import Foundation
import Releases
import Store

struct DevicesInvitations: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitations",
        abstract: "List the open invitations, or take one back.",
        discussion: """
            Example:
              ota devices invitations
              ota devices invitations --revoke 4f1d0c9a83b2e675
            """,
    )

    @Flag(help: "Also list those that were used, taken back or ran out in the last 30 days.")
    var all = false

    @Option(help: "Take back the invitation with this identifier.")
    var revoke: String?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let now = context.now()
        if let revoke {
            guard let identifier = InvitationIdentifier(revoke) else {
                throw InvitationRefusal.unknown
            }
            var name = ""
            try store.changeInvitations { register in
                name = try register.revoke(identifier, by: context.actor, at: now).name
            }
            try store.record(
                Activity(date: now, actor: context.actor, event: .invitationRevoked, subject: name)
            )
        }
        let invitations = try store.invitations().invitations
            .filter { all || $0.state(at: now) == .open }
        try context.show(InvitationTable(invitations: invitations, now: now), json: output.json)
    }
}

private struct InvitationTable: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let invitations: [InvitationRow]
    }

    let invitations: [Invitation]
    let now: Date

    var document: Document {
        Document(invitations: invitations.map { InvitationRow($0, at: now) })
    }

    func text(style: Style) -> String {
        var table = Table(["NAME", "STATE", "OPENED", "UNTIL", "IDENTIFIER"])
        for invitation in invitations {
            table.add([
                Table.Cell(invitation.name, paint: style.strong),
                Table.Cell(invitation.state(at: now).rawValue),
                Table.Cell(invitation.opened.map { Wording.day($0) } ?? "–"),
                Table.Cell(Wording.day(invitation.expires)),
                Table.Cell(invitation.identifier.rawValue, paint: style.faint),
            ])
        }
        return table.isEmpty
            ? "No open invitations: ota devices invite --name Ana" : table.text(style: style)
    }
}
