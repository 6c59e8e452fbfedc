package import Access
package import Cryptography
package import Identifiers
package import Releases
import Versions

/// The command line that an admin pastes into a shell on the runner's machine: it downloads the agent,
/// checks its digest and starts it.
package struct RunnerCommand: Sendable {
    package let line: String

    /// Checks the digest with the tool that the machine has.
    ///
    /// Macs have `shasum`; a Linux machine may only have `sha256sum`. Zsh does not split variables into
    /// words, so both commands are written out.
    private static let check =
        "if command -v shasum >/dev/null; then shasum -a 256 -c -; else sha256sum -c -; fi"

    /// - Parameters:
    ///   - server: the server's address, as the machine reaches it.
    ///   - runner: the runner's name.
    ///   - code: the registration code.
    ///   - agent: the digest of the agent that the server serves.
    ///   - authority: the server's own certificate authority, which the machine does not trust; nil if it
    ///     has none.
    package init(
        server: BaseURL,
        runner: Slug,
        code: RunnerSecret,
        agent: SHA256Digest,
        authority: Certificate?,
    ) {
        let url = ShellWord(server.rawValue)
        let file = ShellWord(server.rawValue + "/runner.py")
        // The machine cannot verify the server's certificate, so only the digest authenticates the file.
        let unproven = authority == nil ? "" : "k"
        let pin = authority.map { " --authority-sha256 \($0.sha256)" } ?? ""
        line =
            "curl -fsS\(unproven) \(file) -o ota-runner.py && "
            + "echo '\(agent)  ota-runner.py' | \(Self.check) && "
            + "python3 ota-runner.py --server \(url) --name \(runner) --code \(code.text)\(pin)"
    }
}
