package import APIDocuments
import Bytes
package import Mirrors

extension MirrorSecretsChange {
    private static let hookSecretLengths = 16...4096

    /// - Throws: ``MirrorRefusal/badSecrets(_:)`` and ``MirrorRefusal/weakHookSecret``, which contain no
    ///   secret; nothing has changed then.
    package func apply(to kept: inout MirrorSecrets) throws(MirrorRefusal) {
        try check()
        if let variables { kept.variables = variables }
        if let passwords { kept.passwords = passwords.isEmpty ? nil : passwords }
        if let sshKey { kept.key = sshKey.isEmpty ? nil : sshKey }
        if let knownHosts { kept.knownHosts = knownHosts.isEmpty ? nil : knownHosts }
        if let authority { kept.authority = authority.isEmpty ? nil : authority }
        if let hookSecret { kept.hook = hookSecret.isEmpty ? nil : hookSecret }
    }

    /// Whether each line consists of at least three words: a host name, a key type and a key.
    private static func isKnownHosts(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).filter { $0.first != "#" }
            .allSatisfy { $0.split(whereSeparator: \.isWhitespace).count >= 3 }
    }

    /// Whether the text is a single line, or consists of URLs.
    private static func isPasswords(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline)
        return lines.count <= 1 || lines.allSatisfy { $0.contains("://") }
    }

    private func check() throws(MirrorRefusal) {
        let limit = MirrorSecrets.sizeLimit
        for text in [passwords, sshKey, knownHosts, authority].compactMap(\.self) {
            guard text.utf8.count <= limit, !text.contains("\0") else {
                throw .badSecrets("a secret must be text of at most \(limit.grouped) bytes")
            }
        }
        if let sshKey, !sshKey.isEmpty, !sshKey.contains("PRIVATE KEY-----") {
            throw .badCredential(
                "the file for --ssh-key is not a private key",
                "give a file that begins with -----BEGIN",
            )
        }
        if let knownHosts, !Self.isKnownHosts(knownHosts) {
            throw .badCredential(
                "the file for --known-hosts is not a list of known hosts",
                "use the output of `ssh-keyscan HOST`, after comparing it with what the host "
                    + "publishes",
            )
        }
        if let passwords, !Self.isPasswords(passwords) {
            throw .badCredential(
                "the file for --credential-file has neither a token nor lines of git "
                    + "credential-store",
                "write only the token, or lines such as https://name:token@host",
            )
        }
        if let hookSecret, !hookSecret.isEmpty,
            !Self.hookSecretLengths.contains(hookSecret.utf8.count)
        {
            throw .weakHookSecret
        }
        guard let variables else { return }
        guard variables.count <= MirrorSecrets.variableLimit else {
            throw .badSecrets("there are more than \(MirrorSecrets.variableLimit) variables")
        }
        guard variables.values.reduce(0, { $0 + $1.utf8.count }) <= limit else {
            throw .badSecrets("the variables have more than \(limit.grouped) bytes")
        }
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            guard MirrorSecrets.isName(name) else {
                throw .badSecrets(
                    "\(quoted: name.prefix(60)) is not a valid variable name, or is reserved by ota"
                )
            }
            guard value.utf8.count >= MirrorSecrets.leastCharacters else {
                throw .shortSecret(name)
            }
            guard !value.contains("\0") else {
                throw .badSecrets("the value of \(name) contains a NUL character")
            }
        }
    }
}
