import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct FeedbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedback",
        abstract: "List and delete testers' feedback.",
        discussion: """
            Testers send feedback from the install page once `ota apps set APP --feedback form` has switched \
            it on.
            Example:
              ota feedback list browsey
              ota feedback delete browsey 4f1d0c9a83b2e675
            """,
        subcommands: [FeedbackListCommand.self, FeedbackDelete.self],
    )
}

struct FeedbackListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the feedback on an app, newest first.",
        discussion: """
            The last 200 messages of an app are kept.
            Example:
              ota feedback list browsey
              ota feedback list browsey --csv > feedback.csv
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @Flag(help: "Print comma-separated values.")
    var csv = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !csv || !output.json else {
            throw ValidationError("give --csv or --json, not both")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let target = try target.open(in: context)
        if csv { return try await target.print(.feedback(of: app), to: context.terminal) }
        let document = try await target.perform(ListFeedback(of: app))
        try context.show(FeedbackText(document: document), json: output.json)
    }
}

struct FeedbackDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a tester's feedback permanently.",
        discussion: """
            Example:
              ota feedback delete browsey 4f1d0c9a83b2e675
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @Argument(help: "The message, by the identifier that the list shows.")
    var feedback: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(DeleteFeedback(feedback, of: app))
        try context.show(DeletedFeedback(document: document), json: output.json)
    }
}

private struct DeletedFeedback: CommandResult {
    let document: FeedbackDocument

    func text(style: Style) -> String {
        "Deleted the feedback of \(Wording.moment(document.feedback.date))."
    }
}

private struct FeedbackText: CommandResult {
    let document: FeedbackListDocument

    func text(style: Style) -> String {
        var parts = document.feedback.map { entry in
            let device = [entry.deviceName, entry.model, entry.os.map { "iOS \($0)" }]
                .compactMap(\.self).joined(separator: ", ")
            let head =
                "\(Wording.moment(entry.date))  \(entry.release)"
                + (entry.person.map { "  from \($0)" } ?? "")
                + (device.isEmpty ? "" : "  \(device)")
            let lines = entry.text.split(separator: "\n").map { "  " + String($0).printable }
            return ([style.strong(head.printable) + "  " + style.faint(entry.id)] + lines)
                .joined(separator: "\n")
        }
        if document.dropped > 0 {
            parts.append(
                "Deleted the oldest \(Wording.count(document.dropped, "message")) to make room for "
                    + "newer ones."
            )
        }
        return parts.isEmpty ? "No feedback yet." : parts.joined(separator: "\n\n")
    }
}
