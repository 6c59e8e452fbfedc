package import Cryptography
package import Essentials
package import Identifiers

/// The developer account of a team at Apple, as far as this server works in it: the key of the API, what
/// an admin has agreed to, and what Apple said last.
package struct TeamAccount: Codable, Sendable, Equatable {
    /// The issuer ID that App Store Connect shows above its list of keys.
    package let issuer: String
    /// The key ID, ten capital letters and digits.
    package let keyID: String
    /// The private key of the API as PEM, sealed.
    package let sealed: SealedBytes
    package let added: Date
    package let addedBy: String
    /// When an admin agreed to what the first comparison would change; until then nothing is changed at
    /// Apple.
    package var agreed: Date?
    package var agreedBy: String?
    /// What Apple said last; nil before the first comparison.
    package var snapshot: AccountSnapshot?
    /// What keeps the server from working there; nil while nothing does.
    package var trouble: AccountTrouble?
    /// A private key for which a certificate is asked, until the team signs with it.
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

    /// The same with what stays of the account before its key was replaced: everything, if the key is of
    /// the same organization.
    package func succeeding(_ former: TeamAccount?) -> TeamAccount {
        var account = self
        guard let former, former.issuer == issuer else { return account }
        account.agreed = former.agreed
        account.agreedBy = former.agreedBy
        account.snapshot = former.snapshot
        account.requested = former.requested
        return account
    }

    /// Whether the server changes something at Apple by itself.
    package var isActive: Bool { agreed != nil }
}

extension SealingPurpose {
    /// The key of a team for the App Store Connect API.
    package static func accountKey(of team: TeamIdentifier) -> SealingPurpose {
        SealingPurpose("API key", of: "team \(team)")
    }

    /// A private key for which a certificate is asked.
    package static func requestedKey(of team: TeamIdentifier) -> SealingPurpose {
        SealingPurpose("requested signing key", of: "team \(team)")
    }
}

/// A private key that waits for its certificate.
package struct RequestedCertificate: Codable, Sendable, Equatable {
    /// As PEM, sealed as ``SealingPurpose/requestedKey(of:)``.
    package let sealed: SealedBytes
    package let date: Date

    package init(sealed: SealedBytes, date: Date) {
        self.sealed = sealed
        self.date = date
    }
}

/// Why the last call to a developer account did not work, in the words of its problem.
package struct AccountTrouble: Codable, Sendable, Equatable {
    /// Of the problem, such as `apple.agreement`.
    package let id: String
    /// One clause.
    package let message: String
    package let fix: String
    /// What a tester who waits reads, a sentence.
    package let testerSentence: String
    /// Whether nothing continues before an admin has done something.
    package let needsPerson: Bool
    /// Since when it is so.
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
