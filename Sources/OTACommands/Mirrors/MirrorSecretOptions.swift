import ArgumentParser
import Foundation
import GitMirror

/// Secrets come from files and standard input, never from arguments, which every user of the machine
/// can read.
struct MirrorSecretOptions: ParsableArguments {
    @Option(
        help: """
            Variables for the steps of trusted tags and branches: a file of lines NAME=value, or a JSON \
            object, or - for standard input. Takes the place of those of before.
            """
    )
    var secrets: String?

    @Option(help: "Name and password for https: a file in the form of git credential-store.")
    var credentialFile: String?

    @Option(help: "A private key for ssh: a file.")
    var sshKey: String?

    @Option(help: "The keys of servers that ssh may trust: a file like known_hosts.")
    var knownHosts: String?

    @Option(help: "What webhooks are signed with: a file, or - for standard input.")
    var hookSecretFile: String?

    var isEmpty: Bool {
        [secrets, credentialFile, sshKey, knownHosts, hookSecretFile].allSatisfy { $0 == nil }
    }

    func apply(to kept: inout MirrorSecrets) throws {
        let limit = MirrorSecrets.sizeLimit
        if let secrets {
            kept.variables = try Self.variables(
                TextInput.read(secrets, limit: limit),
                in: secrets,
            )
        }
        if let credentialFile {
            kept.passwords = try TextInput.read(credentialFile, limit: limit)
        }
        if let sshKey { kept.key = try TextInput.read(sshKey, limit: limit) }
        if let knownHosts { kept.knownHosts = try TextInput.read(knownHosts, limit: limit) }
        if let hookSecretFile {
            let text = try TextInput.read(hookSecretFile, limit: 4096)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            guard text.utf8.count >= 16 else {
                throw CommandFailure(
                    id: "mirror.weak-hook-secret",
                    message: "the secret of webhooks has fewer than 16 characters",
                    place: hookSecretFile,
                    mend: "make one with `openssl rand -hex 32`",
                )
            }
            kept.hook = text
        }
    }

    private static func variables(_ text: String, in file: String) throws -> [String: String] {
        let isObject = text.drop { $0.isWhitespace }.first == "{"
        let variables =
            isObject
            ? try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            : lines(text)
        guard let variables else {
            throw failure("it is neither lines NAME=value nor a JSON object of texts", file)
        }
        guard variables.count <= MirrorSecrets.variableLimit else {
            throw failure("it has more than \(MirrorSecrets.variableLimit) variables", file)
        }
        for (name, value) in variables {
            guard MirrorSecrets.isName(name) else {
                throw failure(
                    "\(name.printable) is no name of a variable, or one of ota's own",
                    file,
                )
            }
            guard value.utf8.count >= MirrorSecrets.leastCharacters else {
                throw failure(
                    "the value of \(name) is shorter than \(MirrorSecrets.leastCharacters) "
                        + "characters and could not be masked in logs",
                    file,
                )
            }
        }
        return variables
    }

    /// Lines `NAME=value`; empty lines and those that begin with `#` are left out.
    private static func lines(_ text: String) -> [String: String]? {
        var variables: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where line.first != "#" {
            guard let mark = line.firstIndex(of: "=") else { return nil }
            variables[String(line[..<mark])] = String(line[line.index(after: mark)...])
        }
        return variables
    }

    private static func failure(_ message: String, _ file: String) -> CommandFailure {
        CommandFailure(
            id: "mirror.bad-secrets",
            message: message,
            place: file,
            mend: "write one NAME=value per line; values of several lines need the JSON form",
        )
    }
}
