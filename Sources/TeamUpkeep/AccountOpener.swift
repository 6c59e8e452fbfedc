package import AppleDeveloper
import Bytes
package import Cryptography
import Essentials
package import HTTPCalling
package import Identifiers
package import Releases
package import Store

/// Opens the developer accounts of teams with the API keys that are sealed in the store.
package struct AccountOpener: Sendable {
    private let store: OTAStore
    private let keyFile: SealingKeyFile?
    private let endpoint: AppleEndpoint
    private let transport: any CallTransport
    private let policy: RetryPolicy
    private let timing: CallTiming

    /// - Parameters:
    ///   - store: the store with the teams.
    ///   - keyFile: the key file with which their keys are sealed; nil if this machine cannot unseal them.
    ///   - endpoint: the address of the API.
    ///   - transport: sends the requests of all teams.
    ///   - policy: how requests are retried.
    ///   - timing: the clock and the source of randomness.
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

    /// Returns the mark in the names of this installation's profiles at Apple.
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

    /// Returns the account of a team, ready for calls; each job opens one of its own.
    ///
    /// - Parameters:
    ///   - team: the team.
    ///   - policy: how requests are retried if a user is waiting for the answer; nil for the policy of
    ///     jobs.
    /// - Returns: the account, to which no request has been sent.
    /// - Throws: ``AccountRefusal``, `KeyFileRefusal`, `SealRefusal`, `APIKeyRefusal`, ``StoreFailure``.
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

    /// Unseals a team's signing identity; nil if the team has none.
    ///
    /// - Throws: ``AccountRefusal/noKeyFile``, `KeyFileRefusal`, `SealRefusal`.
    package func identity(of team: Team) throws -> SigningIdentity? {
        guard let identity = team.identity else { return nil }
        guard let keyFile else { throw AccountRefusal.noKeyFile }
        return try identity.opened(of: team.identifier, with: keyFile.key(for: store))
    }

    /// Seals a team's identity for the store.
    ///
    /// - Returns: nil for a certificate that cannot sign iOS apps.
    /// - Throws: ``AccountRefusal/noKeyFile``, `KeyFileRefusal`.
    package func sealed(
        _ identity: SigningIdentity,
        of team: TeamIdentifier,
    ) throws -> TeamIdentity? {
        guard let keyFile else { throw AccountRefusal.noKeyFile }
        return TeamIdentity(identity, of: team, sealedWith: try keyFile.key(for: store))
    }

    /// Returns the authorities above the team's signing certificate; empty if the team has no identity.
    ///
    /// Apple's are built in; a private authority issues the next certificate too.
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

    /// Unseals a secret of a team.
    ///
    /// - Throws: ``AccountRefusal/noKeyFile``, `KeyFileRefusal`, `SealRefusal`.
    package func open(_ sealed: SealedBytes, as purpose: SealingPurpose) throws -> [UInt8] {
        guard let keyFile else { throw AccountRefusal.noKeyFile }
        return try keyFile.key(for: store).open(sealed, as: purpose)
    }
}
