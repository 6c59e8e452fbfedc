/// What a private repository asks for: files that `git` and `ssh` read, so that no secret is in an
/// argument or in the environment.
package struct GitCredential: Sendable, Equatable {
    /// A file of `git credential-store`, whose lines are addresses with name and password.
    ///
    /// `git` takes out a line that a server has refused, so it must be a copy.
    package var passwords: String?
    /// A private key for `ssh`.
    package var key: String?
    /// The keys of servers that `ssh` may trust; without it those of the user who runs the server.
    package var knownHosts: String?
    /// Authorities that https may trust instead of the system's.
    package var authority: String?

    package init() {}

    static let plainSSHCommand =
        "ssh -F /dev/null -o BatchMode=yes -o StrictHostKeyChecking=yes -o PermitLocalCommand=no"
        + " -o ConnectTimeout=20"

    var sshCommand: String {
        var command = Self.plainSSHCommand
        if let key { command += " -o IdentitiesOnly=yes -i " + Self.quoted(key) }
        if let knownHosts {
            command += " -o GlobalKnownHostsFile=/dev/null -o UpdateHostKeys=no"
            command += " -o UserKnownHostsFile=" + Self.quoted(knownHosts)
        }
        return command
    }

    var settings: [(key: String, value: String)] {
        passwords.map { [("credential.helper", "store --file " + Self.quoted($0))] } ?? []
    }

    /// A word of a shell, which both settings are read by.
    private static func quoted(_ path: String) -> String {
        "'"
            + path.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
