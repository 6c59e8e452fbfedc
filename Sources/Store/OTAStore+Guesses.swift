package import Access

extension OTAStore {
    /// Changes the record of guesses at a secret; see ``change(_:else:_:recording:)``.
    ///
    /// - Parameters:
    ///   - secret: a part of the document's name: letters, digits, dots and hyphens.
    ///   - change: adds or removes a guess.
    /// - Throws: the errors of `change`, and ``StoreFailure``.
    package func changeGuesses(
        at secret: String,
        _ change: (inout SharedGuessLimit.Memory) throws -> Void,
    ) throws {
        let name = try DocumentName.guesses.appending(secret + ".json")
        _ = try self.change(name, else: SharedGuessLimit.Memory(), change)
    }
}

extension DocumentName {
    /// The folder of the records of guesses, which servers of the same store share.
    package static let guesses = DocumentName(known: "guesses")
}
