import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct AppsSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change an app's title, URL name, access, signing or approval.",
        discussion: """
            Example:
              ota apps set browsey --access passphrase --passphrase-file passphrase.txt
              ota apps set browsey --title "Browsey" --slug browsey --unlisted
              ota apps set browsey --team ABCDE12345 --signing automatic
              ota apps set browsey --approve automatic --fresh-channels stable,beta
              ota apps set browsey --minimum-version 1.2.0
              ota apps set browsey --feedback form

            Give the passphrase in a file or on standard input: other users of the machine can see \
            the command line. A new passphrase locks out everyone who used the old one. Links with \
            an earlier slug keep working.

            With --approve automatic a device that joins by an invitation to the app is approved at \
            once, if its family has a slot left.
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @Option(help: "Who can install the app: open, passphrase, enrolled, sign-in or groups:qa,beta.")
    var access: AppRecord.Access?

    @Option(
        help: ArgumentHelp(
            "A file with the passphrase, at least 12 characters.",
            valueName: "file",
        )
    )
    var passphraseFile: String?

    @Flag(help: "Read the passphrase from standard input.")
    var passphraseStdin = false

    @Option(help: "The title that testers see.")
    var title: String?

    @Flag(help: "Show the app on the start page.")
    var listed = false

    @Flag(help: "Hide the app from the start page; its link keeps working.")
    var unlisted = false

    @Option(help: "The app's slug, the name in URLs: lower-case letters, digits and hyphens.")
    var slug: Slug?

    @Option(help: "The team that the app's builds are signed for, by identifier; or none.")
    var team: TeamChoice?

    @Option(help: "Whether the server signs the app's builds automatically: automatic or manual.")
    var signing: AppRecord.Signing?

    @Option(
        help: "Whether devices invited to the app are approved automatically: automatic or manual."
    )
    var approve: AppRecord.Approval?

    @Option(help: "The channels whose releases are signed again automatically, or all.")
    var freshChannels: FreshChannels?

    @Option(
        help: ArgumentHelp(
            "Renew profiles and the certificate this many days before they expire, 1 to 180.",
            valueName: "days",
        )
    )
    var renewBefore: Int?

    @Option(
        help: """
            The lowest version allowed, such as 1.2.0 or 1.2.0-34, or none; older \
            copies must update.
            """
    )
    var minimumVersion: MinimumVersionChoice?

    @Option(
        help: ArgumentHelp(
            "How testers report problems: off, form, or a link (https:// or mailto:).",
            valueName: "way",
        )
    )
    var feedback: FeedbackWay?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !(listed && unlisted) else {
            throw ValidationError("give --listed or --unlisted, not both")
        }
        guard passphraseFile == nil || !passphraseStdin else {
            throw ValidationError("give --passphrase-file or --passphrase-stdin, not both")
        }
        guard
            access != nil || passphraseFile != nil || passphraseStdin || title != nil || listed
                || unlisted || slug != nil || team != nil || signing != nil || approve != nil
                || freshChannels != nil || renewBefore != nil || minimumVersion != nil
                || feedback != nil
        else { throw ValidationError("give something to change, such as --access open") }
        guard renewBefore.map(AppRecord.renewalRange.contains) ?? true else {
            throw ValidationError("--renew-before must be from 1 to 180")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let passphrase = passphraseStdin ? "-" : passphraseFile
        let document = try await target.open(in: context).perform(
            ChangeApp(
                app,
                AppChange(
                    title: title,
                    access: access,
                    slug: slug,
                    passphrase: try passphrase.map { try TextInput.read($0, limit: 4096) },
                    isListed: listed ? true : unlisted ? false : nil,
                    team: team,
                    signing: signing,
                    approval: approve,
                    freshChannels: freshChannels,
                    renewalDays: renewBefore,
                    minimumVersion: minimumVersion,
                    feedback: feedback,
                ),
            )
        )
        let changed = document.app
        let sentence =
            "\(changed.title) (\(changed.slug)): access for \(changed.audience); \(changed.place)"
            + (changed.signer.map { "; signed \($0)" } ?? "")
            + (renewBefore.map { "; renewed \(Wording.count($0, "day")) before the end" } ?? "")
            + (feedback != nil ? "; feedback \(changed.feedback)" : "")
            + (minimumVersion != nil ? changed.update.map { "; \($0)" } ?? "" : "")
            + (changed.approval == .automatic ? "; \(changed.approver)." : ".")
        try context.show(AppResult(document: document, lines: [sentence]), json: output.json)
    }
}

extension AppRecord.Access: TypedValue {}

extension AppRecord.Signing: ExpressibleByArgument {}

extension AppRecord.Approval: ExpressibleByArgument {}

extension FreshChannels: TypedValue {}

extension TeamChoice: TypedValue {}

extension MinimumVersionChoice: TypedValue {}

extension FeedbackWay: TypedValue {}

extension Slug: TypedValue {}
