import Cryptography
import Essentials
import HTTPCalling
import HTTPServing
import Problems
import Releases
import Store

/// The attempts to obtain a certificate.
extension CertificateUpkeep {
    /// The name of the server itself in the activity.
    private static let actor = "ota"

    func attempt(
        replacing old: ServerIdentity?,
        _ record: ACMERecord,
        in keeper: ACMEKeeper,
    ) async throws -> Date {
        let proof = proofs.kind(
            after: record.trouble?.attempts ?? 0,
            accepted: record.challenge,
        )
        do {
            let order = CertificateOrder(
                caller: try newCaller(),
                keeper: keeper,
                key: try keeper.accountKey(),
                proofs: proofs,
                timing: timing,
                address: settings.directory,
                email: settings.email,
                names: names,
                proof: proof,
                replacing: replaced(old, record),
            )
            let identity = try await order.certificate()
            let problem = Self.problem(of: identity, for: names, at: timing.now(), roots: roots)
            if let problem {
                try keeper.change { $0.order = nil }
                throw ACMEFailure.badCertificate(problem)
            }
            try keeper.keep(identity)
            let now = timing.now()
            let renewal = identity.chain.first.map { newRenewal(of: $0, at: now) }
            try finish(with: identity, renewal: renewal, proof: proof, in: keeper)
            use(identity)
            return now
        } catch let failure as ACMEFailure {
            // The server is stopping; the next one continues.
            guard failure != .interrupted else { return timing.now() }
            return try note(failure, of: proof, in: keeper)
        }
    }

    /// The identifier of the present certificate, if the same authority issued it.
    private func replaced(_ old: ServerIdentity?, _ record: ACMERecord) -> String? {
        guard let leaf = old?.chain.first, let renewal = record.renewal,
            renewal.certificate == leaf.sha256.description,
            renewal.directory == settings.directory.text
        else { return nil }
        return RenewalWindow.name(of: leaf)
    }

    func finish(
        with identity: ServerIdentity,
        renewal: KeptRenewal?,
        proof: ACMEChallengeKind? = nil,
        in keeper: ACMEKeeper,
    ) throws {
        let now = timing.now()
        try keeper.change { record in
            record.order = nil
            record.trouble = nil
            record.renewal = renewal
            if let proof { record.challenge = proof }
        } recording: {
            [
                Activity(
                    date: now,
                    actor: Self.actor,
                    event: .certificateObtained,
                    app: nil,
                    subject: names.joined(separator: ", "),
                    detail: settings.directory.host,
                )
            ]
        }
        try keeper.forgetEarlier()
    }

    private func note(
        _ failure: ACMEFailure,
        of proof: ACMEChallengeKind,
        in keeper: ACMEKeeper,
    ) throws -> Date {
        let now = timing.now()
        let problem = failure.problem
        let latest = ACMETrouble.Failure(
            challenge: failure.isOfProof ? proof : nil,
            id: problem.id,
            message: problem.message,
            fix: problem.fix,
            needsPerson: failure.needsPerson,
        )
        let random = timing.random()
        let hasCertificate = used != nil
        var isNew = false
        let record = try keeper.change { record in
            let before = record.trouble
            let attempts = (before?.attempts ?? 0) + 1
            var next = now.addingTimeInterval(
                RenewalSchedule.pause(after: attempts, random: random)
            )
            let notBefore = failure.earliestRetry
            if let notBefore { next = max(next, notBefore) }
            let others = (before?.failures ?? []).filter {
                $0.challenge != nil && latest.challenge != nil && $0.challenge != latest.challenge
            }
            // After both challenges have failed, if there is no certificate or an admin must act; else
            // after four attempts.
            let isDue = attempts >= (latest.needsPerson || !hasCertificate ? 2 : 4)
            isNew = isDue && before?.isAnnounced != true
            record.trouble = ACMETrouble(
                attempts: attempts,
                since: before?.since ?? now,
                last: now,
                next: next,
                notBefore: notBefore,
                failures: [latest] + others.prefix(1),
                isAnnounced: isDue || before?.isAnnounced == true,
            )
        } recording: {
            guard isNew else { return [] }
            return [
                Activity(
                    date: now,
                    actor: Self.actor,
                    event: .certificateFailed,
                    app: nil,
                    subject: names.joined(separator: ", "),
                    detail: "\(problem.message); \(problem.fix)",
                )
            ]
        }
        guard let trouble = record.trouble else { return now }
        try tellTrouble()
        return trouble.next
    }
}
