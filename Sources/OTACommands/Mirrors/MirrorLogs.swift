import APIDocuments
import Administration
import ArgumentParser
import Foundation
import MirrorBuilds
import Mirrors

struct MirrorLogs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Print the log of a build.",
        discussion: """
            Example:
              ota mirror logs browsey --follow
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Argument(help: "The number of the build.")
    var build: Int?

    @Flag(help: "Follow the log until the build ends.")
    var follow = false

    @OptionGroup var target: TargetOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let admin = try target.open(in: context)
        let number: Int
        if let build {
            number = build
        } else {
            number = try await admin.perform(ShowMirror(name)).builds.first?.number ?? 1
        }
        let beat = Duration.milliseconds(target.serverURL(in: context) == nil ? 300 : 1000)
        var offset = 0
        while true {
            let piece = try await admin.log(of: number, name, from: offset)
            offset += piece.bytes.count
            if !piece.bytes.isEmpty {
                try context.terminal.print(
                    LogOutput.plain(piece.bytes.last == 10 ? piece.bytes.dropLast() : piece.bytes)
                )
            }
            // A long log comes in several pieces.
            if piece.isOver {
                return try await tellIssues(of: number, from: admin, in: context)
            }
            if !follow && piece.bytes.isEmpty { return }
            if piece.bytes.isEmpty { try await Task.sleep(for: beat) }
        }
    }

    /// Prints issues to standard error, so that a redirected log contains only the log.
    private func tellIssues(
        of number: Int,
        from admin: CommandTarget,
        in context: CommandContext,
    ) async throws {
        let run = try await admin.perform(ShowBuild(number, of: name))
        let lines = run.issueLines(context.terminal.errorStyle)
        guard !lines.isEmpty else { return }
        context.terminal.remark("What went wrong:")
        for line in lines { context.terminal.remark("  " + line) }
    }
}
