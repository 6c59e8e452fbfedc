package import Access
package import Cryptography
package import Identifiers
package import Releases

/// The line that an admin pastes on the machine of a runner: it fetches the agent, proves it by its digest
/// and starts it.
package struct RunnerCommand: Sendable {
    package let line: String

    /// - Parameters:
    ///   - server: where the machine reaches the server.
    ///   - runner: the runner's name.
    ///   - code: what its agent registers with.
    ///   - authority: the server's own authority, which the machine does not know; nil where there is none.
    package init(
        server: BaseURL,
        runner: Slug,
        code: RunnerSecret,
        authority: Certificate?,
    ) {
        let url = Self.quoted(server.rawValue)
        let file = Self.quoted(server.rawValue + "/runner.py")
        // Without a known authority the digest alone proves the file.
        let unproven = authority == nil ? "" : "k"
        let pin = authority.map { " --authority-sha256 \($0.sha256)" } ?? ""
        line =
            "curl -fsS\(unproven) \(file) -o ota-runner.py && "
            + "echo '\(RunnerAgent.digest)  ota-runner.py' | shasum -a 256 -c - && "
            + "python3 ota-runner.py --server \(url) --name \(runner) --code \(code.text)\(pin)"
    }

    /// As one word of a shell, whatever the path of a URL has in it.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~/:[]%".utf8.contains(byte)
            }
        }
        // zsh, the shell of a Mac, takes brackets for a pattern.
        return isPlain && !text.utf8.contains(UInt8(ascii: "["))
            ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
