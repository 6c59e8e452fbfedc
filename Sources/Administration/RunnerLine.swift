import Identifiers
import Versions

/// What an admin pastes into a shell on the machine that shall build.
///
/// It fetches the agent, compares it with the digest that the admin was shown, and starts it. That digest
/// makes it safe to fetch the agent from a server whose own authority the machine does not trust yet.
struct RunnerLine {
    let server: String
    let name: Slug
    let code: String
    /// SHA-256 of the agent; nil where it is not known.
    let agent: String?
    /// SHA-256 of the server's own authority; nil where there is none.
    let authority: String?

    private static let file = "ota-runner.py"

    var text: String {
        let insecure = agent != nil && authority != nil ? "-k " : ""
        let address = ShellWord(server + "/runner.py")
        var parts = ["curl -fsS \(insecure)\(address) -o \(Self.file)"]
        if let agent { parts.append("echo '\(agent)  \(Self.file)' | shasum -a 256 -c -") }
        var start = "python3 \(Self.file) --server \(ShellWord(server)) --name \(name)"
        start += " --code \(code)"
        if let authority { start += " --authority-sha256 \(authority)" }
        return (parts + [start]).joined(separator: " && ")
    }
}
