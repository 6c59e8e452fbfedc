package import Access
package import Releases

extension OTAStore {
    package func tokens() throws(StoreFailure) -> TokenRegister {
        try value(TokenRegister.self, .tokens) ?? TokenRegister()
    }

    /// The register as it is on the disk now, for a token that ``tokens()`` does not know: it costs a
    /// look at the file, which is read only when it has changed.
    package func currentTokens() throws(StoreFailure) -> TokenRegister {
        try value(TokenRegister.self, .tokens, isCurrent: true) ?? TokenRegister()
    }

    /// Changes the register of access tokens; `recording` as in ``change(_:else:_:recording:)``.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
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
