import Cryptography
import Essentials
import HTTPCalling
import HTTPServing
import Store

/// One attempt to obtain a certificate: account, order, challenges, CSR, chain (RFC 8555 section 7.4).
///
/// Every step can be repeated: the stored state of an earlier attempt is continued if it is still valid,
/// and dropped if the authority rejects it.
struct CertificateOrder {
    let caller: ACMECaller
    let keeper: ACMEKeeper
    let key: ACMEAccountKey
    let proofs: ACMEProofs
    let timing: CallTiming
    let address: ACMEDirectoryAddress
    /// The contact address of the account.
    let email: String
    /// The host names, sorted.
    let names: [String]
    /// The challenge that this attempt uses.
    let proof: ACMEChallengeKind
    /// The certificate that the new one replaces, as ``RenewalWindow/name(of:)``.
    let replacing: String?

    /// The maximum time for the authority to check a name, or to issue the certificate, in seconds.
    static let patience = 120
    /// The maximum number of certificates in a chain.
    private static let longestChain = 10

    /// - Returns: the chain and its private key, not yet checked.
    /// - Throws: ``ACMEFailure``, and errors of the store.
    func certificate() async throws -> ServerIdentity {
        do {
            return try await certificate(for: try await account())
        } catch let failure as ACMEFailure where failure.isAboutLostAccount {
            // An authority may delete accounts; a new account needs a new order.
            try keeper.change { record in
                record.account = nil
                record.order = nil
            }
            return try await certificate(for: try await account())
        }
    }

    private func certificate(for account: String) async throws -> ServerIdentity {
        var (kept, order) = try await openOrder(account)
        if order.status == .pending || order.status == .ready {
            do {
                for target in order.authorizations.prefix(names.count) {
                    try await prove(target, account)
                }
            } catch let failure as ACMEFailure {
                // A failed challenge invalidates the order (RFC 8555 section 7.1.6).
                if failure.isOfProof { try dropOrder() }
                throw failure
            }
            order = try await settled(kept, account) { $0 == .pending }
        }
        if order.status == .ready {
            let request = try CertificateSigningRequest(
                for: PrivateKey(pem: kept.key),
                subject: DistinguishedName([]),
                hosts: names.map { .dns($0) },
            )
            let answer = try await caller.post(
                order.finalize,
                ACMEFinalization(csr: Base64URL.text(request.der)),
                account: account,
            )
            order = try await caller.read(ACMEOrder.self, from: answer, of: order.finalize)
        }
        order = try await settled(kept, account) { $0 != .valid && $0 != .invalid }
        guard order.status == .valid, let target = order.certificate else {
            try dropOrder()
            throw ACMEFailure.refused(
                word: order.error?.word ?? "order \(order.status)",
                said: ACMEFailure.plain(order.error?.detail),
            )
        }
        let answer = try await caller.post(target, nil, account: account)
        do {
            let chain = try Certificate.chain(pem: String(decoding: answer.body, as: UTF8.self))
            guard chain.count <= Self.longestChain else {
                throw ACMEFailure.unreadable(
                    host: address.host,
                    reason: "a chain of \(chain.count) certificates",
                )
            }
            return ServerIdentity(chain: chain, key: try PrivateKey(pem: kept.key))
        } catch let malformed as MalformedCertificate {
            try dropOrder()
            throw ACMEFailure.unreadable(host: address.host, reason: "\(malformed)")
        }
    }

    /// The account of the key; the same request creates or finds it.
    private func account() async throws -> String {
        let contact = "mailto:" + email
        let record = try keeper.record()
        if let account = record.account {
            guard record.contact != contact else { return account }
            _ = try await caller.post(
                account,
                ACMEContactChange(contact: [contact]),
                account: account,
            )
            try keeper.change { $0.contact = contact }
            return account
        }
        let directory = try await caller.directory()
        guard directory.meta?.externalAccountRequired != true else {
            throw ACMEFailure.accountBinding(host: address.host)
        }
        let answer = try await caller.post(
            directory.newAccount,
            ACMEAccountRequest(contact: [contact]),
            account: nil,
        )
        let account = try location(of: answer)
        // An existing account keeps its contact unless it is updated.
        if answer.status == 200 {
            _ = try await caller.post(
                account,
                ACMEContactChange(contact: [contact]),
                account: account,
            )
        }
        try keeper.change { record in
            record.account = account
            record.contact = contact
        }
        return account
    }

    /// The stored order, or a new one.
    private func openOrder(_ account: String) async throws -> (PendingOrder, ACMEOrder) {
        if let kept = try keeper.record().order {
            do throws(ACMEFailure) {
                let order = try await current(kept, account)
                if kept.names == names, order.status != .invalid { return (kept, order) }
            } catch {
                // The authority may no longer know the order.
                guard error.allowsOrderWithoutReplacing else { throw error }
            }
            try dropOrder()
        }
        let target = try await caller.directory().newOrder
        var answer: CallAnswer
        do throws(ACMEFailure) {
            answer = try await request(replacing, at: target, account)
        } catch {
            // The certificate was already replaced, or another authority issued it; an order that does
            // not name it may succeed.
            guard replacing != nil, error.allowsOrderWithoutReplacing else { throw error }
            answer = try await request(nil, at: target, account)
        }
        let order = try await caller.read(ACMEOrder.self, from: answer, of: target)
        let kept = PendingOrder(
            url: try location(of: answer),
            names: names,
            key: try PrivateKey.generate(.p256).pem,
        )
        try keeper.change { $0.order = kept }
        return (kept, order)
    }

    private func request(
        _ replacing: String?,
        at target: String,
        _ account: String,
    ) async throws(ACMEFailure) -> CallAnswer {
        try await caller.post(
            target,
            ACMEOrderRequest(
                identifiers: names.map { ACMEIdentifier(dns: $0) },
                replaces: replacing,
            ),
            account: account,
        )
    }

    private func dropOrder() throws {
        try keeper.change { $0.order = nil }
    }

    private func current(
        _ kept: PendingOrder,
        _ account: String,
    ) async throws(ACMEFailure) -> ACMEOrder {
        let answer = try await caller.post(kept.url, nil, account: account)
        return try await caller.read(ACMEOrder.self, from: answer, of: kept.url)
    }

    /// Waits until `isWaiting` is false for the order.
    private func settled(
        _ kept: PendingOrder,
        _ account: String,
        _ isWaiting: (ACMEOrder.Status) -> Bool,
    ) async throws -> ACMEOrder {
        let begun = timing.now()
        var pause = 0.25
        while true {
            let answer = try await caller.post(kept.url, nil, account: account)
            let order = try await caller.read(ACMEOrder.self, from: answer, of: kept.url)
            guard isWaiting(order.status) else { return order }
            guard timing.now().timeIntervalSince(begun) < TimeInterval(Self.patience) else {
                throw ACMEFailure.unfinished(what: "the certificate", seconds: Self.patience)
            }
            try await caller.wait(pause, after: answer)
            pause = min(pause * 2, 10)
        }
    }

    private func location(of answer: CallAnswer) throws(ACMEFailure) -> String {
        guard let location = answer.headers["location"] else {
            throw .unreadable(host: address.host, reason: "it has no Location")
        }
        guard address.allows(location) else {
            throw .foreignAddress(ACMEFailure.plain(location))
        }
        return location
    }
}
