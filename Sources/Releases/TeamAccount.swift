package import Cryptography
package import Essentials
package import Identifiers

/// The developer account of a team at Apple, as used by this server: the API key, the admin's agreement,
/// and the state at Apple.
package struct TeamAccount: Codable, Sendable, Equatable {
    /// The issuer ID that App Store Connect shows above its list of keys.
    package let issuer: String
    /// The key ID, ten capital letters and digits.
    package let keyID: String
    /// The sealed private key for the API, in PEM.
    package let sealed: SealedBytes
    package let added: Date
    package let addedBy: String
    /// When an admin agreed to the changes of the first comparison; before that, the server changes nothing
    /// at Apple.
    package var agreed: Date?
    package var agreedBy: String?
    /// The last known state at Apple; nil before the first comparison.
    package var snapshot: AccountSnapshot?
    /// The problem that keeps the server from using the account; nil if there is none.
    package var trouble: AccountTrouble?
    /// A private key for which a certificate was requested, until the team signs with it.
    package var requested: RequestedCertificate?

    package init(
        issuer: String,
        keyID: String,
        sealed: SealedBytes,
        added: Date,
        addedBy: String,
    ) {
        self.issuer = issuer
        self.keyID = keyID
        self.sealed = sealed
        self.added = added
        self.addedBy = addedBy
    }

    /// This account, with the agreement, state and requested certificate of the account before its key was
    /// replaced, if both keys belong to the same organization.
    package func succeeding(_ former: TeamAccount?) -> TeamAccount {
        var account = self
        guard let former, former.issuer == issuer else { return account }
        account.agreed = former.agreed
        account.agreedBy = former.agreedBy
        account.snapshot = former.snapshot
        account.requested = former.requested
        return account
    }

    /// Whether the server may change the account automatically.
    package var isActive: Bool { agreed != nil }
}

extension SealingPurpose {
    /// Seals a team's private key for the App Store Connect API.
    package static func accountKey(of team: TeamIdentifier) -> SealingPurpose {
        SealingPurpose("API key", of: "team \(team)")
    }

    /// Seals a private key for which a certificate was requested.
    package static func requestedKey(of team: TeamIdentifier) -> SealingPurpose {
        SealingPurpose("requested signing key", of: "team \(team)")
    }
}

/// A private key that is waiting for its certificate.
package struct RequestedCertificate: Codable, Sendable, Equatable {
    /// The private key in PEM, sealed for ``SealingPurpose/requestedKey(of:)``.
    package let sealed: SealedBytes
    package let date: Date

    package init(sealed: SealedBytes, date: Date) {
        self.sealed = sealed
        self.date = date
    }
}

/// Why the last request to a developer account failed.
package struct AccountTrouble: Codable, Sendable, Equatable {
    /// The identifier of the problem, such as `apple.agreement`.
    package let id: String
    /// One clause.
    package let message: String
    package let fix: String
    /// A sentence for a tester whose device is waiting.
    package let testerSentence: String
    /// Whether the server stops using the account until an admin has acted.
    package let needsPerson: Bool
    /// When the problem started.
    package let since: Date

    package init(
        id: String,
        message: String,
        fix: String,
        testerSentence: String,
        needsPerson: Bool,
        since: Date,
    ) {
        self.id = id
        self.message = message
        self.fix = fix
        self.testerSentence = testerSentence
        self.needsPerson = needsPerson
        self.since = since
    }
}
