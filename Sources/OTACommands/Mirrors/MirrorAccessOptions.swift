import APIDocuments
import ArgumentParser
import Cryptography
import Foundation
import Mirrors

/// Access to a repository, and the secret of its push webhooks.
///
/// Secrets come from files and standard input, never from arguments, which every user of the machine can
/// read.
struct MirrorAccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            For https: a file with a token, or with lines of git credential-store.
            """,
            valueName: "file",
        )
    )
    var credentialFile: String?

    @Option(help: ArgumentHelp("For ssh: a file with a private key.", valueName: "file"))
    var sshKey: String?

    @Option(
        help: ArgumentHelp(
            "For ssh: a known_hosts file with the servers to trust.",
            valueName: "file",
        )
    )
    var knownHosts: String?

    @Option(
        help: ArgumentHelp(
            """
            For https: a PEM file with the authority of a private git host.
            """,
            valueName: "file",
        )
    )
    var repositoryCAFile: String?

    @Option(
        help: ArgumentHelp(
            """
            A file with the secret of your git host's push webhook, which starts a sync at once, \
            or - for standard input.
            """,
            valueName: "file",
        )
    )
    var hookSecretFile: String?

    @Option(
        help: """
            Submodules to check out: none, same-host (on the mirror's own server) or any; default: none.
            """
    )
    var submodules: SubmoduleChoice?

    /// Reads the files that the options name.
    func change() throws -> MirrorSecretsChange {
        let limit = MirrorSecrets.sizeLimit
        var change = MirrorSecretsChange()
        change.passwords = try credentialFile.map { try TextInput.read($0, limit: limit) }
        change.sshKey = try sshKey.map { try TextInput.read($0, limit: limit) }
        change.knownHosts = try knownHosts.map { try TextInput.read($0, limit: limit) }
        change.authority = try repositoryCAFile.map { file in
            let text = try TextInput.read(file, limit: limit)
            _ = try Certificate.chain(pem: text)
            return text
        }
        change.hookSecret = try hookSecretFile.map {
            try TextInput.read($0, limit: 4096).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        // An empty file is a mistake here, and does not mean that there should be no secret.
        guard change.hookSecret?.isEmpty != true else { throw MirrorRefusal.weakHookSecret }
        return change
    }
}

extension SubmoduleChoice: ExpressibleByArgument {}
