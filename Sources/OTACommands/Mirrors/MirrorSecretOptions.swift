import APIDocuments
import ArgumentParser
import Bytes
import Cryptography
import Foundation
import Mirrors
import Problems

/// Secrets come from files and standard input, never from arguments, which every user of the machine
/// can read.
struct MirrorSecretOptions: ParsableArguments {
    @Option(
        help: """
            Variables for the steps of trusted tags and branches: a file with NAME=value lines or \
            a JSON object, or - for standard input. Replaces the earlier ones.
            """
    )
    var secrets: String?

    @Option(
        help: """
            For https: a file with a token, or with lines as git credential-store writes them.
            """
    )
    var credentialFile: String?

    @Option(help: "For ssh: a file with a private key.")
    var sshKey: String?

    @Option(help: "For ssh: a known_hosts file with the servers to trust.")
    var knownHosts: String?

    @Option(
        help: """
            For https: a PEM file with the authority of a private git host, instead of the \
            system's.
            """
    )
    var repositoryCAFile: String?

    @Option(help: "The secret that signs incoming webhooks: a file, or - for standard input.")
    var hookSecretFile: String?

    /// What was said, read from where it is.
    func change() throws -> MirrorSecretsChange {
        let limit = MirrorSecrets.sizeLimit
        var change = MirrorSecretsChange()
        change.variables = try secrets.map {
            try Self.variables(TextInput.read($0, limit: limit), in: $0)
        }
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
        // An empty file is a mistake here, and not the wish to have no secret.
        guard change.hookSecret?.isEmpty != true else { throw MirrorRefusal.weakHookSecret }
        return change
    }

    private static func variables(_ text: String, in file: String) throws -> [String: String] {
        let isObject = text.drop { $0.isWhitespace }.first == "{"
        let variables =
            isObject
            ? try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            : lines(text)
        guard let variables else {
            throw Problem(
                id: "mirror.bad-secrets",
                kind: .invalid,
                message: "the secrets are neither NAME=value lines nor a JSON object of strings",
                place: file,
                fix: "write one NAME=value per line; use JSON for values of several lines",
            )
        }
        return variables
    }

    /// Lines `NAME=value`; empty lines and those that begin with `#` are left out.
    private static func lines(_ text: String) -> [String: String]? {
        var variables: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where line.first != "#" {
            guard let mark = line.firstIndex(ofByte: "=") else { return nil }
            variables[String(line[..<mark])] = String(line[line.utf8.index(after: mark)...])
        }
        return variables
    }
}
