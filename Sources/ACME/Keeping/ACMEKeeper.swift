import Cryptography
import Essentials
import HTTPServing
import Releases
package import Store

/// Stores the account, order and certificate in the store's `keys/`, which only the owner can read.
package struct ACMEKeeper: Sendable {
    private static let accountName = "acme-account.pem"
    private static let certificateName = "acme-certificate.pem"
    private static let recordName = "acme.json"

    private let store: OTAStore
    private let directory: String
    /// Checked before each write; nil for a reader.
    private let lease: (any WorkLease)?

    /// - Parameters:
    ///   - store: the store.
    ///   - address: the authority's directory.
    ///   - lease: the lease of the writing process.
    package init(
        _ store: OTAStore,
        for address: ACMEDirectoryAddress,
        under lease: (any WorkLease)? = nil,
    ) {
        self.store = store
        directory = address.text
        self.lease = lease
    }

    /// The same keeper, for writing under a lease.
    func under(_ lease: any WorkLease) -> ACMEKeeper {
        ACMEKeeper(store, directory, lease)
    }

    private init(_ store: OTAStore, _ directory: String, _ lease: any WorkLease) {
        self.store = store
        self.directory = directory
        self.lease = lease
    }

    /// The account key, generated on first use.
    func accountKey() throws -> ACMEAccountKey {
        if try store.secret(Self.accountName) == nil {
            let made = try PrivateKey.generate(.p256)
            // If another process stores one first, that one is used.
            do throws(StoreFailure) {
                try store.keep(secret: made.pem, as: Self.accountName)
            } catch .conflict {}
        }
        guard let text = try store.secret(Self.accountName) else {
            throw StoreFailure.missing(path: "keys/\(Self.accountName)")
        }
        do {
            return try ACMEAccountKey(try PrivateKey(pem: text))
        } catch {
            throw Self.unreadable(Self.accountName, error)
        }
    }

    fileprivate func checkAccountKey() throws(StoreFailure) {
        guard let text = try store.secret(Self.accountName) else { return }
        do {
            _ = try ACMEAccountKey(try PrivateKey(pem: text))
        } catch {
            throw Self.unreadable(Self.accountName, error)
        }
    }

    /// The last issued certificate; nil before the first.
    func identity() throws(StoreFailure) -> ServerIdentity? {
        guard let text = try store.secret(Self.certificateName) else { return nil }
        do {
            return ServerIdentity(
                chain: try Certificate.chain(pem: text),
                key: try PrivateKey(pem: text),
            )
        } catch {
            throw Self.unreadable(Self.certificateName, error)
        }
    }

    func keep(_ identity: ServerIdentity) throws(StoreFailure) {
        let text = identity.chain.pem + identity.key.pem
        try lease?.require()
        try store.replace(secret: text, as: Self.certificateName)
    }

    /// The stored state for this authority.
    package func record() throws(StoreFailure) -> ACMERecord {
        var record =
            try store.value(ACMERecord.self, Self.document(), isCurrent: true)
            ?? ACMERecord(directory: directory)
        record.turn(to: directory)
        return record
    }

    /// Changes the record together with entries in the activity, unless the lease is lost.
    @discardableResult
    func change(
        _ change: (inout ACMERecord) -> Void,
        recording: () -> [Activity] = { [] },
    ) throws -> ACMERecord {
        try store.change(
            Self.document(),
            else: ACMERecord(directory: directory),
            { record in
                try lease?.require()
                record.turn(to: directory)
                change(&record)
            },
            recording: recording,
        ).value
    }

    /// Deletes the previous version of the record, which contains the private key of a completed order.
    func forgetEarlier() throws(StoreFailure) {
        try store.backend.forgetPrevious(of: Self.document())
    }

    /// The response to an authority that requests a challenge file, on any of several servers with the
    /// same store.
    ///
    /// - Parameter token: the token in the request.
    /// - Returns: nil for a token that is not in the stored order.
    /// - Throws: errors of reading the store.
    package func answer(toToken token: String) throws -> String? {
        guard token.utf8.count <= ACMEToken.longest,
            let record = try store.value(ACMERecord.self, Self.document()),
            record.directory == directory, record.order?.tokens.contains(token) == true
        else { return nil }
        return try accountKey().authorization(of: token)
    }

    private static func document() throws(StoreFailure) -> DocumentName {
        try DocumentName("keys", recordName)
    }

    private static func unreadable(_ name: String, _ error: any Error) -> StoreFailure {
        .unreadable(path: "keys/\(name)", offset: nil, reason: "\(error)")
    }
}

extension OTAStore {
    /// The certificate documents that cannot be read.
    package func certificateProblems() -> [StoreProblem] {
        let keeper = ACMEKeeper(self, for: .letsEncrypt)
        return [
            problem { () throws(StoreFailure) in _ = try keeper.identity() },
            problem { () throws(StoreFailure) in try keeper.checkAccountKey() },
            problem { () throws(StoreFailure) in _ = try keeper.record() },
        ].compactMap(\.self)
    }
}
