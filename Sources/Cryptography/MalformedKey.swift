package import Problems

/// Why a private key cannot be read or used.
package enum MalformedKey: ReportableError, Equatable {
    case noKeyInText
    /// The PEM needs a passphrase; keys must be stored unencrypted, readable only by the server.
    case encrypted
    case notAKey(reason: String?)
    /// Neither RSA nor elliptic curve.
    case unsupported(KeyKind)
    /// The public key does not verify what the private key signs.
    case damaged
    case cannotSign(reason: String?)
    case cannotGenerate(reason: String?)

    package var description: String {
        switch self {
        case .noKeyInText: "there is no private key in PEM form"
        case .encrypted: "the private key is encrypted; decrypt it first with openssl pkey"
        case .notAKey(let reason): "this is not a private key" + Self.clause(reason)
        case .unsupported(let kind): "\(kind) keys are not supported; use RSA or EC"
        case .damaged: "the private key is damaged: its public key does not verify its signatures"
        case .cannotSign(let reason): "the private key could not sign" + Self.clause(reason)
        case .cannotGenerate(let reason): "a private key could not be created" + Self.clause(reason)
        }
    }

    private static func clause(_ reason: String?) -> String { reason.map { ": \($0)" } ?? "" }
}

extension MalformedKey {
    package var id: String { "key.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "give an unencrypted PEM key" }
}
