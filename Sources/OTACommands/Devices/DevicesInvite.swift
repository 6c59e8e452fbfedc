import ArgumentParser
import Bundles
import Enrolment
import Foundation
import Images
import Releases
import Store

struct DevicesInvite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invite a tester to enrol the device that they test with.",
        discussion: """
            Prints a link, its QR code and six digits; each lets one device enrol, once.
            Example:
              ota devices invite --name "Ana's iPhone" --app browsey
            """,
    )

    @Option(help: "Whom it is for, 1 to 50 characters; becomes the device's name.")
    var name: String

    @Option(help: "The app that they are to test, by slug or bundle identifier.")
    var app: String?

    @Option(help: "How long the link lasts, such as 7d.")
    var valid = Span(days: 7)

    @Option(help: "Where testers reach the server, which links are made of. Remembered.")
    var baseURL: BaseURL?

    @Flag(inversion: .prefixedNo, help: "Print the link as a QR code; on a terminal it is.")
    var qr: Bool?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.openOrCreate(in: context)
        try storeOptions.remember(baseURL: baseURL, anchors: [], in: store)
        let base = try base(of: store)
        let draft = InvitationDraft(
            name: name,
            app: try app.map { try store.app(named: $0).bundleIdentifier },
            validity: valid.seconds,
            by: context.actor,
        )
        let now = context.now()
        var issued: IssuedInvitation?
        try store.changeInvitations { register in
            var generator = SystemRandomNumberGenerator()
            issued = try register.invite(draft, at: now, using: &generator)
        }
        guard let issued else { throw InvitationRefusal.unknown }
        try store.record(
            Activity(date: now, actor: context.actor, event: .deviceInvited, subject: name)
        )
        let links = Links(base: base)
        let result = InvitedTester(
            issued: issued,
            url: links.invitation(issued.token.text),
            codeURL: links.enrol,
            showsCode: qr ?? context.terminal.style.isColoured,
            date: now,
        )
        try context.show(result, json: output.json)
    }

    private func base(of store: OTAStore) throws -> BaseURL {
        guard let base = try store.settings().baseURL else {
            throw CommandFailure(
                id: "base-url.missing",
                message: "nobody has said yet where phones reach the server",
                mend: "give --base-url https://…, or start `ota serve --base-url https://…` once",
            )
        }
        return base
    }
}

private struct InvitedTester: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let invitation: InvitationRow
        let url, codeURL, code: String
        let codeExpires: Date
    }

    let issued: IssuedInvitation
    let url: String
    let codeURL: String
    let showsCode: Bool
    let date: Date

    var document: Document {
        Document(
            invitation: InvitationRow(issued.invitation, at: date),
            url: url,
            codeURL: codeURL,
            code: issued.code.digits,
            codeExpires: date.addingTimeInterval(InvitationCode.lifetime),
        )
    }

    func text(style: Style) -> String {
        var parts = [
            "Invited \(style.strong(issued.invitation.name.printable)), until "
                + "\(Wording.day(issued.invitation.expires)). Send them this link:\n"
                + style.link(url),
            "Or have them open \(codeURL) and type \(style.strong(issued.code.spaced)) within 15 "
                + "minutes.",
        ]
        if showsCode, let code = try? QRCode(encoding: url) {
            parts.append(code.terminal(ansi: style.isColoured))
        }
        return parts.joined(separator: "\n\n")
    }
}

/// An invitation as commands show it; its secrets are kept nowhere.
struct InvitationRow: Encodable {
    let identifier: String
    let name: String
    let app: String?
    let state: String
    let created: Date
    let expires: Date
    let opened: Date?

    init(_ invitation: Invitation, at date: Date) {
        identifier = invitation.identifier.rawValue
        name = invitation.name
        app = invitation.app?.rawValue
        state = invitation.state(at: date).rawValue
        created = invitation.created
        expires = invitation.expires
        opened = invitation.opened
    }
}
