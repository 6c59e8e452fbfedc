import Cryptography
import Essentials
import HTTPCalling
import HTTPServing
import Store

/// One attempt to get a certificate: account, order, proofs, request, chain (RFC 8555 section 7.4).
///
/// Every step is repeated safely: what is kept of an earlier attempt is continued where it is still of
/// use, and dropped where the authority says that it is not.
struct CertificateOrder {
    let caller: ACMECaller
    let keeper: ACMEKeeper
    let key: ACMEAccountKey
    let proofs: ACMEProofs
    let timing: CallTiming
    let address: ACMEDirectoryAddress
    /// Of the account.
    let email: String
    /// Host names, sorted.
    let names: [String]
    /// How names are proven in this attempt.
    let proof: ACMEChallengeKind
    /// The certificate that the new one replaces, by ``RenewalWindow/name(of:)``.
    let replacing: String?

    /// Seconds that the authority may take for one name, or for the certificate.
    static let patience = 120
    /// The most certificates of a chain.
    private static let longestChain = 10

    /// - Returns: chain and key, not yet proven.
    /// - Throws: ``ACMEFailure``, and what the store throws.
    func certificate() async throws -> ServerIdentity {
        do {
            return try await certificate(for: try await account())
        } catch let failure as ACMEFailure where failure.isAboutLostAccount {
            // An authority may forget accounts; a new one begins with a new order.
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
                // The proof of a name is tried once in an order (RFC 8555 section 7.1.6).
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

    /// The account of the key, made or found by the same request.
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
        // An account that was there already keeps its contact unless it is changed.
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

    /// The kept order, or a new one.
    private func openOrder(_ account: String) async throws -> (PendingOrder, ACMEOrder) {
        if let kept = try keeper.record().order {
            do throws(ACMEFailure) {
                let order = try await current(kept, account)
                if kept.names == names, order.status != .invalid { return (kept, order) }
            } catch {
                // The authority may know it no longer.
                guard error.allowsOrderWithoutReplacing else { throw error }
            }
            try dropOrder()
        }
        let target = try await caller.directory().newOrder
        var answer: CallAnswer
        do throws(ACMEFailure) {
            answer = try await request(replacing, at: target, account)
        } catch {
            // Replaced already, or from another authority: the order is good without that.
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

    /// The order once it is no longer as `isWaiting` says.
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
