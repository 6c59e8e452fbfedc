import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct AppsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one app.",
        discussion: """
            Example:
              ota apps show browsey
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let document = try await administration.perform(ShowApp(app))
        let app = document.app
        let page = try await administration.baseURL().flatMap { base in
            Slug(app.slug).map { Links(base: base).app($0) }
        }
        var lines = [
            app.title, app.app, page ?? "/apps/\(app.slug)",
            "Access: \(app.audience); \(app.listed ? "on" : "not on") the start page.",
        ]
        if app.archived == true {
            lines.append("Archived: lists leave it out, and it takes no new builds.")
        }
        if let signer = app.signer {
            lines.append("Builds are signed \(signer).")
            lines.append(
                "Profiles and certificate are renewed "
                    + "\(Wording.count(app.renewalDays, "day")) before they expire."
            )
        }
        if app.approval == .automatic { lines.append("\(Wording.sentence(app.approver))") }
        if let update = app.update { lines.append(Wording.sentence(update)) }
        if app.feedback != "off" {
            lines.append(
                app.feedback == "form"
                    ? "Testers send feedback with a form."
                    : "Testers send feedback to \(app.feedback)."
            )
        }
        if app.channels.isEmpty { lines.append("No build yet.") }
        for (channel, release) in app.channels.sorted(by: { $0.key < $1.key }) {
            // A channel keeps naming a release that was withdrawn.
            let card = try? await administration.perform(ShowRelease(release, of: app.app))
            let end = app.channelEnds?[channel].map { ", until \(Wording.moment($0))" } ?? ""
            lines.append(
                (card?.release.isWithdrawn == true
                    ? "\(channel) has \(release), which is withdrawn"
                    : "\(channel) offers \(release)") + end
            )
        }
        try context.show(AppResult(document: document, lines: lines), json: output.json)
    }
}
