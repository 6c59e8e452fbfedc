import Administration
import ArgumentParser
import Releases

struct AppsSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change what an app is called, where it is, or who may see it.",
        discussion: """
            Example:
              ota apps set browsey --access passphrase --passphrase-file passphrase.txt
              ota apps set browsey --title "Browsey" --slug browsey --unlisted

            A passphrase never stands on the command line, where other users of the machine see it. \
            Another passphrase ends what the one before has opened. Links with an earlier slug go \
            on working.
            """,
    )

    @Argument(help: "The app: its bundle identifier, or its name in URLs.")
    var app: String

    @Option(help: "Who may see it: open, passphrase or enrolled.")
    var access: AppRecord.Access?

    @Option(help: "The file with the passphrase, at least 12 characters.")
    var passphraseFile: String?

    @Flag(help: "Read the passphrase from standard input.")
    var passphraseStdin = false

    @Option(help: "What it is called.")
    var title: String?

    @Flag(help: "Name it on the start page.")
    var listed = false

    @Flag(help: "Do not name it on the start page; its link goes on working.")
    var unlisted = false

    @Option(help: "Its name in URLs: lower-case letters, digits and hyphens.")
    var slug: Slug?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !(listed && unlisted) else {
            throw ValidationError("Give --listed or --unlisted, not both.")
        }
        guard passphraseFile == nil || !passphraseStdin else {
            throw ValidationError("Give --passphrase-file or --passphrase-stdin, not both.")
        }
        guard
            access != nil || passphraseFile != nil || passphraseStdin || title != nil || listed
                || unlisted || slug != nil
        else { throw ValidationError("Say what to change, such as --access open.") }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let passphrase = passphraseStdin ? "-" : passphraseFile
        let document = try await target.open(in: context).changeApp(
            app,
            AppChange(
                title: title,
                access: access,
                slug: slug,
                passphrase: try passphrase.map { try TextInput.read($0, limit: 4096) },
                isListed: listed ? true : unlisted ? false : nil,
            ),
        )
        let changed = document.app
        let place = changed.listed ? "is on the start page" : "is not on the start page"
        let sentence =
            "\(changed.title) (\(changed.slug)) is for \(changed.audience), and \(place)."
        try context.show(AppResult(document: document, lines: [sentence]), json: output.json)
    }
}

extension AppRecord.Access: ExpressibleByArgument {}

extension Slug: TypedValue {}
