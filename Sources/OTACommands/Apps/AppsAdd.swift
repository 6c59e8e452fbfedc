import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct AppsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an app before its first build.",
        discussion: """
            Publishing adds an app too. Add it first if something has to be set before that: who can \
            install it, or the team that a mirror signs its first build for.
            Example:
              ota apps add com.example.browsey --title Browsey --access enrolled
              ota apps add com.example.selector --team ABCDE12345 --signing automatic
            """,
    )

    @Argument(help: "The app's bundle identifier.")
    var identifier: BundleIdentifier

    @Option(help: "The title that testers see; default: the last part of its identifier.")
    var title: String?

    @Option(help: "The app's slug, the name in URLs; default: derived from its title.")
    var slug: Slug?

    @Option(
        help:
            "Who can install the app: open, passphrase, enrolled, sign-in or groups:qa,beta; default: open."
    )
    var access: AppRecord.Access?

    @Option(
        help: ArgumentHelp(
            "A file with the passphrase, at least 12 characters; - for standard input.",
            valueName: "file",
        )
    )
    var passphraseFile: String?

    @Flag(help: "Hide the app from the start page; its link works.")
    var unlisted = false

    @Option(help: "The team that the app's builds are signed for, by identifier.")
    var team: TeamChoice?

    @Option(
        help: """
            Whether the server signs the app's builds automatically: automatic or manual; default: manual.
            """
    )
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

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard renewBefore.map(AppRecord.renewalRange.contains) ?? true else {
            throw ValidationError("--renew-before must be from 1 to 180")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let settings = AppChange(
            title: title,
            access: access,
            slug: slug,
            passphrase: try passphraseFile.map { try TextInput.read($0, limit: 4096) },
            isListed: unlisted ? false : nil,
            team: team,
            signing: signing,
            approval: approve,
            freshChannels: freshChannels,
            renewalDays: renewBefore,
            minimumVersion: minimumVersion,
        )
        let administration = try target.open(in: context, creates: true)
        let document = try await administration.perform(AddApp(NewApp(identifier, settings)))
        let app = document.app
        let page = try await administration.baseURL().flatMap { base in
            Slug(app.slug).map { Links(base: base).app($0) }
        }
        let sentence =
            "Added \(app.title) (\(app.slug)), which has no build yet: access for \(app.audience)"
            + (app.signer.map { "; builds are signed \($0)." } ?? ".")
        let lines = [sentence, page].compactMap(\.self)
        try context.show(AppResult(document: document, lines: lines), json: output.json)
    }
}

extension BundleIdentifier: TypedValue {}
