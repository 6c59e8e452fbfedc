import Bytes
import Essentials
import HTTPCalling

extension CertificateOrder {
    /// Proves one host name, unless the authority still has a valid authorization.
    func prove(_ target: String, _ account: String) async throws {
        var authorization = try await read(target, account).0
        let name = authorization.identifier.value.lowercased()
        guard names.contains(name) else {
            throw ACMEFailure.unreadable(
                host: address.host,
                reason: "it asks for a proof of \(quoted: ACMEFailure.plain(name))",
            )
        }
        guard authorization.status != "valid" else { return }
        guard let challenge = authorization.challenges.first(where: { $0.type == proof.rawValue }),
            let token = ACMEToken.checked(challenge.token)
        else {
            guard authorization.status == "pending" else {
                throw ACMEFailure.refused(
                    word: "authorization \(ACMEFailure.plain(authorization.status))",
                    said: "",
                )
            }
            throw ACMEFailure.noChallenge(
                name: name,
                offered: authorization.challenges.prefix(8).map { ACMEFailure.plain($0.type) },
            )
        }
        if authorization.status == "pending" {
            try offer(token, for: name)
            defer { proofs.end(for: name) }
            if challenge.status == "pending" {
                _ = try await caller.post(challenge.url, ACMEReadiness(), account: account)
            }
            authorization = try await decided(target, account)
            try keeper.change { record in record.order?.tokens.removeAll { $0 == token } }
        }
        guard authorization.status == "valid" else {
            let failed = authorization.challenges.first { $0.error != nil }
            throw ACMEFailure(
                failed?.error,
                of: failed.flatMap { ACMEChallengeKind(rawValue: $0.type) } ?? proof,
                for: name,
            )
        }
    }

    private func offer(_ token: String, for name: String) throws {
        switch proof {
        case .http: try keeper.change { $0.order?.tokens.append(token) }
        case .tls:
            try proofs.show(key.authorization(of: token), for: name, at: timing.now())
        }
    }

    /// Waits for the final state of an authorization.
    private func decided(_ target: String, _ account: String) async throws -> ACMEAuthorization {
        let begun = timing.now()
        var pause = 0.25
        while true {
            let (authorization, answer) = try await read(target, account)
            guard authorization.status == "pending" else { return authorization }
            guard timing.now().timeIntervalSince(begun) < TimeInterval(Self.patience) else {
                throw ACMEFailure.unfinished(
                    what: "the proof of \(authorization.identifier.value)",
                    seconds: Self.patience,
                )
            }
            try await caller.wait(pause, after: answer)
            pause = min(pause * 2, 10)
        }
    }

    private func read(
        _ target: String,
        _ account: String,
    ) async throws -> (ACMEAuthorization, CallAnswer) {
        let answer = try await caller.post(target, nil, account: account)
        return (try await caller.read(ACMEAuthorization.self, from: answer, of: target), answer)
    }
}
