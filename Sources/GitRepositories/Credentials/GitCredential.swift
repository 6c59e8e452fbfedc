/// The credential of a private repository, as files that `git` and `ssh` read, so that no secret is in an
/// argument or in the environment.
package struct GitCredential: Sendable, Equatable {
    /// A file in the format of `git credential-store`, whose lines are URLs with user name and password.
    ///
    /// `git` removes a line that a server has rejected, so this must be a copy.
    package var passwords: String?
    /// A private SSH key.
    package var key: String?
    /// The host keys that `ssh` may trust; nil for those of the server's user.
    package var knownHosts: String?
    /// The certificate authorities that HTTPS may trust instead of the system's.
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

    /// Quotes a path for a shell, which parses both settings.
    private static func quoted(_ path: String) -> String {
        "'"
            + path.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
