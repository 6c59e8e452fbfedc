package import Access
package import Releases

extension OTAStore {
    package func tokens() throws(StoreFailure) -> TokenRegister {
        try value(TokenRegister.self, .tokens) ?? TokenRegister()
    }

    /// The register as it is in storage now, for a token that ``tokens()`` does not know.
    ///
    /// It costs a check of the document, which is read only if it has changed.
    package func currentTokens() throws(StoreFailure) -> TokenRegister {
        try value(TokenRegister.self, .tokens, isCurrent: true) ?? TokenRegister()
    }

    /// Changes the register of access tokens; `recording` is as in ``change(_:else:_:recording:)``.
    ///
    /// - Throws: the errors of `change`, and ``StoreFailure``.
    @discardableResult
    package func changeTokens(
        _ change: (inout TokenRegister) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> TokenRegister {
        try self.change(.tokens, else: TokenRegister(), change, recording: recording).value
    }
}

extension DocumentName {
    static let tokens = DocumentName(known: "tokens.json")
}
