package import AppleDeveloper
import Bytes
package import Cryptography
import Essentials
package import HTTPCalling
package import Identifiers
package import Releases
package import Store

/// Opens the developer accounts of teams with the keys that the store keeps sealed.
package struct AccountOpener: Sendable {
    private let store: OTAStore
    private let keyFile: SealingKeyFile?
    private let endpoint: AppleEndpoint
    private let transport: any CallTransport
    private let policy: RetryPolicy
    private let timing: CallTiming

    /// - Parameters:
    ///   - store: where teams are.
    ///   - keyFile: what their keys are sealed with; nil where nothing on this machine opens them.
    ///   - endpoint: where the API is.
    ///   - transport: carries the requests; one for all teams.
    ///   - policy: how often and when a request is tried again.
    ///   - timing: time and chance.
    package init(
        _ store: OTAStore,
        openingWith keyFile: SealingKeyFile?,
        at endpoint: AppleEndpoint = .apple,
        through transport: any CallTransport,
        policy: RetryPolicy = RetryPolicy(),
        timing: CallTiming,
    ) {
        self.store = store
        self.keyFile = keyFile
        self.endpoint = endpoint
        self.transport = transport
        self.policy = policy
        self.timing = timing
    }

    /// What profiles of this installation are known by at Apple.
    ///
    /// - Throws: ``StoreFailure``.
    package func mark() throws(StoreFailure) -> ProfileName.Mark {
        // A digest, so that the name at Apple reveals nothing else about the installation.
        let digest = SHA256Digest(of: Array(try store.settings().instance.utf8))
        guard let mark = ProfileName.Mark(String(digest.description.prefix(12))) else {
            preconditionFailure("a digest is written in hexadecimal digits")
        }
        return mark
    }

    /// The account of a team, ready for calls; each job opens one of its own.
    ///
    /// - Parameters:
    ///   - team: whose it is.
    ///   - policy: how often and when a request is tried again, where someone waits for the answer;
    ///     nil for that of jobs.
    /// - Returns: the account, of which nothing was asked yet.
    /// - Throws: ``AccountRefusal``, `KeyFileRefusal`, `SealRefusal`, `APIKeyRefusal`,
    ///   ``StoreFailure``.
    package func open(
        _ team: Team,
        trying policy: RetryPolicy? = nil,
    ) throws -> DeveloperAccount {
        guard let account = team.account else { throw AccountRefusal.none(team.identifier) }
        let pem = try open(account.sealed, as: .accountKey(of: team.identifier))
        return DeveloperAccount(
            key: try TeamAPIKey(
                issuer: account.issuer,
                identifier: account.keyID,
                pem: String(decoding: pem, as: UTF8.self),
            ),
            mark: try mark(),
            endpoint: endpoint,
            transport: transport,
            policy: policy ?? self.policy,
            timing: timing,
        )
    }

    /// What a team signs with, opened; nil while it has no identity.
    ///
    /// - Throws: ``AccountRefusal/noKeyFile``, `KeyFileRefusal`, `SealRefusal`.
    package func identity(of team: Team) throws -> SigningIdentity? {
        guard let identity = team.identity else { return nil }
        guard let keyFile else { throw AccountRefusal.noKeyFile }
        return try identity.opened(of: team.identifier, with: keyFile.key(for: store))
    }

    /// A team's identity as it rests in the store.
    ///
    /// - Returns: nil for a certificate that signs no apps for iOS.
    /// - Throws: ``AccountRefusal/noKeyFile``, `KeyFileRefusal`.
    package func sealed(
        _ identity: SigningIdentity,
        of team: TeamIdentifier,
    ) throws -> TeamIdentity? {
        guard let keyFile else { throw AccountRefusal.noKeyFile }
        return TeamIdentity(identity, of: team, sealedWith: try keyFile.key(for: store))
    }

    /// The authorities above the certificate that a team signs with; empty where it has none.
    ///
    /// Those of Apple are known; a private one issues the next certificate too.
    ///
    /// - Throws: ``AccountRefusal/noKeyFile``, `KeyFileRefusal`, `SealRefusal`.
    package func chain(of team: Team) throws -> [Certificate] {
        guard let identity = team.identity else { return [] }
        guard let keyFile else { throw AccountRefusal.noKeyFile }
        return try identity.opened(of: team.identifier, with: keyFile.key(for: store)).chain
    }

    /// Seals a secret of a team.
    ///
    /// - Throws: ``AccountRefusal/noKeyFile``, `KeyFileRefusal`.
    package func seal(_ secret: [UInt8], as purpose: SealingPurpose) throws -> SealedBytes {
        guard let keyFile else { throw AccountRefusal.noKeyFile }
        return try keyFile.key(for: store).seal(secret, as: purpose)
    }

    /// Opens a secret of a team.
    ///
    /// - Throws: ``AccountRefusal/noKeyFile``, `KeyFileRefusal`, `SealRefusal`.
    package func open(_ sealed: SealedBytes, as purpose: SealingPurpose) throws -> [UInt8] {
        guard let keyFile else { throw AccountRefusal.noKeyFile }
        return try keyFile.key(for: store).open(sealed, as: purpose)
    }
}
