package import APIDocuments
import Access
import Cryptography
import Identifiers
package import Inspection
import Publishing
package import Releases
import Store

extension Actions {
    static let releases: [any PerformedAction.Type] = [
        ListReleases.self, ShowRelease.self, ChangeNotes.self, ShowReport.self, ShowVerdicts.self,
        CompareReleases.self, ShowProvenance.self, WithdrawRelease.self, RestoreRelease.self,
        PromoteRelease.self,
        SignRelease.self,
    ]
}

extension ListReleases: StoreAction {
    /// Throws ``BadParameter`` if the release in `after` was pruned in the meantime.
    package func perform(in administration: LocalAdministration) throws -> ReleasePageDocument {
        let store = administration.admin.store
        let app = try administration.admin.app(named: app)
        let identifiers = try store.releaseIdentifiers(of: app.bundleIdentifier)
        var begin = 0
        if let after {
            guard let place = identifiers.firstIndex(where: { $0.rawValue == after }) else {
                throw BadParameter("after", fix: "give the last release of the previous page")
            }
            begin = place + 1
        }
        let releases = try store.releases(
            of: app.bundleIdentifier,
            offset: begin,
            count: limit,
        )
        let older = max(0, identifiers.count - begin - limit)
        return ReleasePageDocument(
            releases: releases.map { ReleaseEntry($0, in: app) },
            older: older,
            next: older > 0 ? releases.last?.identifier.rawValue : nil,
        )
    }
}

extension ShowRelease: VersionedAction {
    package func perform(
        in administration: LocalAdministration,
        if isExpected: (Release) throws -> Bool,
    ) throws -> (answer: ReleaseCardDocument, record: Release) {
        let admin = administration.admin
        let (app, release) = try admin.find(release, of: app)
        let now = admin.clock()
        let report = try admin.store.report(of: release)
        let card = ReleaseCardDocument(
            release,
            in: app,
            report: report,
            verdicts: try admin.store.verdicts(on: release, at: now),
            at: now,
        )
        return (card, release)
    }
}

extension ChangeNotes: VersionedAction {
    package func perform(
        in administration: LocalAdministration,
        if isExpected: (Release) throws -> Bool,
    ) throws -> (answer: ReleaseDocument, record: Release) {
        let (app, release) = try administration.admin.find(release, of: app)
        let changed = try administration.admin.changeNotes(
            of: release.identifier,
            of: app.bundleIdentifier,
            to: content.notes,
            if: isExpected,
        )
        return (ReleaseDocument(release: ReleaseEntry(changed, in: app)), changed)
    }
}

extension ShowReport: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> InspectionDocument {
        let (_, release) = try administration.admin.find(release, of: app)
        return InspectionDocument(
            try administration.admin.store.report(of: release),
            udids: administration.holder.may(.admin),
        )
    }
}

extension CompareReleases: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ComparisonDocument {
        let admin = administration.admin
        let (app, release) = try admin.find(release, of: app)
        let earlier = try admin.earlierReleases(than: release)
        let other =
            try with.map { try admin.release(named: $0, of: app) }
            ?? earlier.first { $0.withdrawal == nil } ?? earlier.first
        guard let other else {
            return ComparisonDocument(
                app: app.bundleIdentifier.rawValue,
                release: release.identifier.rawValue,
                with: nil,
                changes: [],
            )
        }
        let reports = [try admin.store.report(of: release), try admin.store.report(of: other)]
        return ComparisonDocument(
            of: ComparisonDocument.Side(release, reports[0]),
            with: ComparisonDocument.Side(other, reports[1]),
            names: administration.holder.may(.admin) ? try admin.names(in: reports) : nil,
        )
    }
}

extension ShowVerdicts: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RegisterDocument {
        let admin = administration.admin
        let (_, release) = try admin.find(release, of: app)
        let now = admin.clock()
        let report = try admin.store.report(of: release)
        let namesDevices = administration.holder.may(.admin)
        return RegisterDocument(
            report.verdict(at: now),
            expiry: report.expiries.first,
            verdicts: try admin.store.verdicts(on: release, at: now),
            udids: namesDevices,
            names: namesDevices,
            after: after,
            limit: limit,
        )
    }
}

extension ShowProvenance: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ProvenanceDocument {
        let store = administration.admin.store
        let (_, release) = try administration.admin.find(release, of: app)
        return ProvenanceDocument(
            release,
            envelope: try store.envelope(of: release),
            key: PublicKey(of: try store.provenanceKey()),
            found: digest ? try SHA256Digest(reading: store.open(release.sha256).source) : nil,
        )
    }
}

extension WithdrawRelease: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ReleaseDocument {
        let (app, release) = try administration.admin.find(release, of: app)
        let withdrawn = try administration.admin.withdraw(
            release.identifier,
            of: app.bundleIdentifier,
            reason: content.reason,
        )
        return ReleaseDocument(release: ReleaseEntry(withdrawn, in: app))
    }
}

extension RestoreRelease: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ReleaseDocument {
        let (app, release) = try administration.admin.find(release, of: app)
        let restored = try administration.admin.restore(
            release.identifier,
            of: app.bundleIdentifier,
        )
        return ReleaseDocument(release: ReleaseEntry(restored, in: app))
    }
}

extension PromoteRelease: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ReleaseDocument {
        let (app, release) = try administration.admin.find(release, of: app)
        let promotion = try administration.admin.promote(
            release.identifier,
            of: app.bundleIdentifier,
            to: content.channel,
            lasting: content.expires,
        )
        return ReleaseDocument(
            release: ReleaseEntry(release, in: promotion.app),
            findings: promotion.findings,
            previous: promotion.previous,
            channelEnds: promotion.app.end(of: content.channel),
        )
    }
}

extension Administrator {
    fileprivate func find(
        _ release: String,
        of app: String,
    ) throws -> (app: AppRecord, release: Release) {
        let app = try self.app(named: app)
        return (app, try self.release(named: release, of: app))
    }
}
