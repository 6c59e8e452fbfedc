import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Enrolment
import Foundation
import Images
import Releases

struct DevicesInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invite a tester, or many, to enrol their devices.",
        discussion: """
            Prints a link, its QR code and a six-digit code. An invitation is for one device, or for \
            many with --uses: each tester then names their device, and the link has a page to print \
            as a poster.
            Example:
              ota devices invite --name "Ana's iPhone" --app browsey
              ota devices invite --name "Kitchen" --uses 50 --groups qa --valid 30d
            """,
    )

    @Option(
        help: """
            The name of the device, such as Ana's iPhone, or of an invitation for many; 1 to 50 \
            characters.
            """
    )
    var name: String

    @Option(help: "The app to test, by slug or bundle identifier.")
    var app: String?

    @Option(
        help: ArgumentHelp(
            "How many devices can join with the invitation, from 1 to 500.",
            valueName: "number",
        )
    )
    var uses = 1

    @Option(help: "The groups that the devices join, such as qa,beta.")
    var groups: GroupNames?

    @Option(help: ArgumentHelp("How long the link is valid; default: 7d.", valueName: "duration"))
    var valid = Span(days: 7)

    @Option(
        help: ArgumentHelp(
            """
            The URL at which testers reach the server; links begin with it. Saved in the store.
            """,
            valueName: "url",
        )
    )
    var baseURL: BaseURL?

    @Flag(
        inversion: .prefixedNo,
        help: "Print the link as a QR code; default: only on a terminal.",
    )
    var qr: Bool?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let isLocal = target.serverURL(in: context) == nil
        guard isLocal || baseURL == nil else {
            throw ValidationError(
                "--base-url is for a store on this machine; a server knows its own address"
            )
        }
        let document = try await target.open(in: context, creates: true, baseURL: baseURL)
            .perform(
                InviteTester(
                    NewInvitation(
                        name: name,
                        app: app,
                        validity: valid.seconds,
                        uses: uses,
                        groups: groups,
                    )
                )
            )
        if isLocal {
            let store = try target.storeOptions.openOrCreate(in: context)
            try target.storeOptions.remember(baseURL: baseURL, anchors: [], in: store)
        }
        let result = InvitedTester(
            document: document,
            showsCode: qr ?? context.terminal.style.isColoured,
        )
        try context.show(result, json: output.json)
    }
}

private struct InvitedTester: CommandResult {
    let document: SentInvitationDocument
    let showsCode: Bool

    func text(style: Style) -> String {
        let invitation = document.invitation
        let url = document.url.printable
        let many =
            invitation.uses == 1 ? "" : " for \(invitation.uses) devices"
        let spaced = document.spacedCode.printable
        var parts = [
            "Invited \(style.strong(invitation.name.printable))\(many), until "
                + "\(Wording.day(invitation.expires)). Send them this link:\n"
                + style.link(url),
            "Or have them open \(document.codeURL.printable) and enter \(style.strong(spaced)) "
                + "within 15 minutes.",
        ]
        if let poster = document.posterURL {
            parts.append("Print this page as a poster: " + style.link(poster.printable))
        }
        if showsCode, let code = try? QRCode(encoding: url) {
            parts.append(code.terminal(ansi: style.isColoured))
        }
        return parts.joined(separator: "\n\n")
    }
}

extension GroupNames: TypedValue {}
