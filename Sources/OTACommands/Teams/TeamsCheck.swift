import APIDocuments
import Administration
import ArgumentParser

struct TeamsCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask Apple what a team's developer account has and lacks.",
        discussion: """
            Changes nothing at Apple. Exits with 1 if something is missing, and says how to get it.
            Example:
              ota teams check ABCDE12345
            """,
    )

    @OptionGroup var account: NamedAccount

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await account.open(in: context).perform(CheckTeam(account.team))
        try context.show(CheckedTeam(document: document), json: account.output.json)
        if !document.good { throw ExitCode(1) }
    }
}

private struct CheckedTeam: CommandResult {
    let document: TeamCheckDocument

    func text(style: Style) -> String {
        document.lines.map { line in
            let mark =
                switch line.verdict {
                case .good: style.good("✓")
                case .warning: style.warning("!")
                case .missing: style.bad("✗")
                }
            let fix = line.fix.map { "\n  \(style.faint("fix")) \($0.printable)" } ?? ""
            return "\(mark) \(line.text.printable)\(fix)"
        }.joined(separator: "\n")
    }
}
