package import APIDocuments
import Access
import Bundles
package import Cryptography
package import Foundation
import Identifiers
package import Jobs
package import ReleaseSigning
package import Releases
import Signing
import Store

extension SignRelease: StoreAction {
    /// Checks everything that can be checked before signing, and queues the job.
    package func perform(in administration: LocalAdministration) throws -> SigningDocument {
        let admin = administration.admin
        let app = try admin.app(named: app)
        let release = try admin.release(named: release, of: app)
        let now = admin.clock()
        let task = SigningTask(
            team: try administration.signingTeam(of: app, named: content.team)
                .identifier.rawValue,
            profiles: try (content.profiles ?? []).map { try admin.store.put(Array($0)) },
            reason: "requested",
        )
        let proposal = try administration.proposal(task, for: release, at: now)
        var added: (job: Job, isCreated: Bool)?
        if !proposal.isUnchanged {
            var job = Job(
                JobIdentifier(at: now, random: randomBytes),
                toSign: release.identifier,
                of: app.bundleIdentifier,
                as: task,
                by: admin.name,
                at: now,
            )
            job.devices = proposal.devices
            added = try admin.store.add(job, share: OTAStore.jobShare)
            if added?.isCreated == true {
                let subject = release.identifier.rawValue
                try admin.store.record(
                    admin.activity(.signingAsked, app: app, subject, at: now)
                )
            }
        }
        return SigningDocument(
            created: added?.isCreated ?? false,
            release: release,
            team: task.team,
            profiles: proposal.choice.profiles.map(SigningDocument.Profile.init),
            gained: proposal.gained.count,
            lost: proposal.lost.count,
            job: try added.map { try administration.entry(of: $0.job) },
        )
    }
}

extension LocalAdministration {
    /// Returns what signing a release again would change.
    ///
    /// - Throws: ``ReleaseSigningRefusal`` if it cannot be signed, `ProfileRefusal` for an invalid profile,
    ///   and `StoreFailure`.
    package func proposal(
        _ task: SigningTask,
        for release: Release,
        at date: Date,
    ) throws -> SigningProposal {
        let store = admin.store
        return try task.means(in: store, trusting: trustedAnchors(), at: date)
            .proposal(for: release, in: store, at: date)
    }

    /// The team whose identity signs an app; only admins may choose a team other than the app's own.
    fileprivate func signingTeam(of app: AppRecord, named name: String?) throws -> Team {
        guard name == nil || name == app.team?.rawValue || holder.may(.admin) else {
            throw ReleaseSigningRefusal.otherTeam(name ?? "")
        }
        return try admin.signingTeam(of: app, named: name)
    }

    /// The trust anchors for profiles: those of this call, and those in the store.
    package func trustedAnchors() throws -> TrustAnchors {
        anchors.adding(try admin.store.anchors())
    }
}

extension Administrator {
    /// Returns the team whose identity signs an app.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - name: another team than the app's own; nil for the app's own.
    /// - Returns: a team that has an identity.
    /// - Throws: ``ReleaseSigningRefusal/noTeam(app:)``, `TeamRefusal`,
    ///   ``ReleaseSigningRefusal/noIdentity(team:)``, and `StoreFailure`.
    package func signingTeam(of app: AppRecord, named name: String? = nil) throws -> Team {
        guard let text = name ?? app.team?.rawValue else {
            throw ReleaseSigningRefusal.noTeam(app: app.slug.rawValue)
        }
        let team = try team(named: text)
        guard team.identity != nil else {
            throw ReleaseSigningRefusal.noIdentity(team: team.identifier.rawValue)
        }
        return team
    }
}

extension SigningDocument.Profile {
    fileprivate init(_ profile: SigningProfile) {
        let facts = profile.facts
        self.init(
            uuid: facts.uuid,
            name: facts.name,
            expires: facts.expires,
            devices: facts.devices?.count,
        )
    }
}
