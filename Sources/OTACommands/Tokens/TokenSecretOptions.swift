import APIDocuments
import Access
import Administration
import ArgumentParser
import Bytes
import Cryptography
import Foundation
import Problems
import Releases

/// The place for the secret of a new token.
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

    /// Checks that the secret that replaces a token's can be saved: where a file exists, it holds the old
    /// one, which the new one replaces.
    ///
    /// - Parameters:
    ///   - name: the token's name or identifier.
    ///   - administration: knows the token.
    /// - Returns: what names the token that the file is about.
    /// - Throws: ``Problem`` if the file holds anything else.
    func check(
        replacing name: String,
        of administration: CommandTarget,
    ) async throws -> String {
        // No other token has the identifier that is part of the secret.
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

    /// The secret that is all that a file holds.
    private static func secret(in file: String) -> TokenSecret? {
        let type = try? FileManager.default.attributesOfItem(atPath: file)[.type]
        // Standard input and pipes are not waited for.
        guard type as? FileAttributeType == .typeRegular, file != "-",
            let text = try? TextInput.read(file, limit: 200)
        else { return nil }
        return TokenSecret(text.trimmingWhitespace())
    }

    /// Saves the secret to the file, if one was given.
    ///
    /// - Parameters:
    ///   - document: the new token.
    ///   - verb: what was done, at the beginning of a sentence.
    ///   - administration: created the token, and revokes it if the secret cannot be saved.
    /// - Returns: what the command shows.
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
                // The secret is lost, so the token is useless.
                _ = try? await administration.perform(RevokeToken(document.token.identifier))
                throw error
            }
            document.secret = nil
            document.file = file
        }
        return CreatedToken(document: document, verb: verb)
    }
}

/// A new token, with its secret or the file that has it.
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
