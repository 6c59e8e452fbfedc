package import Access
package import Cryptography
package import Identifiers
package import Releases
import Versions

/// The line that an admin pastes on the machine of a runner: it fetches the agent, checks its
/// digest and starts it.
package struct RunnerCommand: Sendable {
    package let line: String

    /// Checks the digest with what the machine has.
    ///
    /// Macs have `shasum`; a Linux machine may have `sha256sum` alone. Zsh splits no variables into words, so
    /// both are written out.
    private static let check =
        "if command -v shasum >/dev/null; then shasum -a 256 -c -; else sha256sum -c -; fi"

    /// - Parameters:
    ///   - server: the server's address, as the machine reaches it.
    ///   - runner: the runner's name.
    ///   - code: the registration code.
    ///   - agent: the digest of the agent that the server hands out.
    ///   - authority: the server's own authority, which the machine does not know; nil if it has
    ///     none.
    package init(
        server: BaseURL,
        runner: Slug,
        code: RunnerSecret,
        agent: SHA256Digest,
        authority: Certificate?,
    ) {
        let url = ShellWord(server.rawValue)
        let file = ShellWord(server.rawValue + "/runner.py")
        // Without a known authority the digest alone proves the file.
        let unproven = authority == nil ? "" : "k"
        let pin = authority.map { " --authority-sha256 \($0.sha256)" } ?? ""
        line =
            "curl -fsS\(unproven) \(file) -o ota-runner.py && "
            + "echo '\(agent)  ota-runner.py' | \(Self.check) && "
            + "python3 ota-runner.py --server \(url) --name \(runner) --code \(code.text)\(pin)"
    }
}
