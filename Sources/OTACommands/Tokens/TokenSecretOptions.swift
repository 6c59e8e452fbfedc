import APIDocuments
import Access
import Administration
import ArgumentParser
import Bytes
import Cryptography
import Foundation
import Problems
import Releases

/// The file for the secret of a new token.
struct TokenSecretOptions: ParsableArguments {
    @Option(
        help: "Write the secret to this file, readable only by its owner, instead of printing it."
    )
    var file: String?

    /// Checks that the secret can be saved, before it exists.
    ///
    /// - Throws: ``Problem`` if the file exists.
    func check() throws(Problem) {
        guard let file, FileManager.default.fileExists(atPath: file) else { return }
        throw Problem(
            id: "token.file-exists",
            kind: .conflict,
            message: "the file already exists, and may hold the only copy of a secret",
            place: file,
            fix: "give another --file, or remove the existing one first",
        )
    }

    /// Checks that the secret that replaces a token's can be saved: an existing file must contain the old
    /// one, which is then replaced.
    ///
    /// - Parameters:
    ///   - name: the token's name or identifier.
    ///   - administration: the store or server with the token.
    /// - Returns: the identifier of the token in the file, or `name` if there is no file.
    /// - Throws: ``Problem`` if the file contains anything else.
    func check(
        replacing name: String,
        of administration: CommandTarget,
    ) async throws -> String {
        // The identifier in the secret is unique to the token.
        guard let file, let held = Self.secret(in: file) else {
            try check()
            return name
        }
        let tokens = try await administration.perform(ListTokens(all: true)).tokens
        let isHeld = tokens.contains { token in
            token.revoked == nil && token.identifier == held.identifier
                && (token.name == name || token.identifier == name)
        }
        guard isHeld else {
            try check()
            return name
        }
        return held.identifier
    }

    /// The secret in a file that contains nothing else.
    private static func secret(in file: String) -> TokenSecret? {
        let type = try? FileManager.default.attributesOfItem(atPath: file)[.type]
        // Standard input and pipes would block.
        guard type as? FileAttributeType == .typeRegular, file != "-",
            let text = try? TextInput.read(file, limit: 200)
        else { return nil }
        return TokenSecret(text.trimmingWhitespace())
    }

    /// Saves the secret to the file, if one was given.
    ///
    /// - Parameters:
    ///   - document: the new token.
    ///   - verb: the verb at the beginning of the sentence.
    ///   - administration: the store or server that created the token, and revokes it if the secret cannot
    ///     be saved.
    /// - Returns: the result for display.
    /// - Throws: why the file cannot be written.
    func handOver(
        _ document: CreatedTokenDocument,
        as verb: String = "Created",
        of administration: CommandTarget,
    ) async throws -> CreatedToken {
        var document = document
        if let file, let secret = document.secret {
            do {
                try SecretFile.write(Array((secret + "\n").utf8), to: file)
            } catch {
                // Without its secret, the token is useless.
                _ = try? await administration.perform(RevokeToken(document.token.identifier))
                throw error
            }
            document.secret = nil
            document.file = file
        }
        return CreatedToken(document: document, verb: verb)
    }
}

/// A new token, with its secret or the file that contains it.
struct CreatedToken: CommandResult {
    let document: CreatedTokenDocument
    let verb: String

    func text(style: Style) -> String {
        let token = document.token
        let scopes = token.scopes.map(\.description).joined(separator: ", ")
        let end = token.expires.map { "until \(Wording.moment($0))" } ?? "until revoked"
        let made =
            "\(verb) the token \(style.strong(token.name.printable)) for \(scopes), valid "
            + "\(end)."
        if let file = document.file { return made + "\nSaved its secret to \(file.printable)." }
        let secret = (document.secret ?? "").printable
        return made + "\nIts secret, which is shown only once:\n\n  \(secret)\n"
    }
}
