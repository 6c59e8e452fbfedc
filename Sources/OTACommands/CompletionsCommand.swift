import ArgumentParser

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a script that completes commands and options in a shell.",
        discussion: """
            The Debian package already installs these files.
            Examples:
              ota completions bash > ~/.local/share/bash-completion/completions/ota
              ota completions zsh > "${fpath[1]}/_ota"
              ota completions fish > ~/.config/fish/completions/ota.fish
            """,
    )

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: CompletedShell

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let script = OTA.completionScript(for: shell.completion)
        try context.show(CompletionScript(shell: shell.rawValue, script: script), json: json)
        // The hint is for people; JSON is requested by programs.
        if !json { context.terminal.remark(shell.hint) }
    }
}

enum CompletedShell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    fileprivate var completion: CompletionShell {
        switch self {
        case .bash: .bash
        case .zsh: .zsh
        case .fish: .fish
        }
    }

    /// Where to install the script, and when it takes effect.
    fileprivate var hint: String {
        switch self {
        case .bash:
            "Install: write this to ~/.local/share/bash-completion/completions/ota (it needs the "
                + "package bash-completion), and open a new shell."
        case .zsh:
            "Install: write this to a file _ota in a folder of $fpath, run `autoload -Uz compinit "
                + "&& compinit`, and open a new shell."
        case .fish:
            "Install: write this to ~/.config/fish/completions/ota.fish, and open a new shell."
        }
    }
}

private struct CompletionScript: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let shell, script: String
    }

    let shell: String
    let script: String

    var document: Document { Document(shell: shell, script: script) }

    func text(style: Style) -> String { script }
}
