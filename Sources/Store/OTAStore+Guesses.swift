package import Access

extension OTAStore {
    /// Changes what is remembered of guesses at a secret; see ``change(_:else:_:recording:)``.
    ///
    /// - Parameters:
    ///   - secret: a part of the document's name: letters, digits, dots and hyphens.
    ///   - change: counts or uncounts a guess.
    /// - Throws: what `change` throws, and ``StoreFailure``.
    package func changeGuesses(
        at secret: String,
        _ change: (inout SharedGuessLimit.Memory) throws -> Void,
    ) throws {
        let name = try DocumentName.guesses.appending(secret + ".json")
        _ = try self.change(name, else: SharedGuessLimit.Memory(), change)
    }
}

extension DocumentName {
    /// The folder of what servers that share a store remember of guesses.
    package static let guesses = DocumentName(known: "guesses")
}
