package import APIDocuments
import Bundles
import Cryptography
import Foundation
package import Identifiers
import Inspection
package import Publishing
import Releases
import Store

extension LocalAdministration {
    package func releases(of app: String?, limit: Int) throws -> ReleasesDocument {
        var listing = AppListing()
        if let app {
            listing.apps = [try admin.app(named: app)]
        } else {
            listing = try admin.store.appListing()
        }
        let apps = listing.apps
        var failures = Array(listing.failures.values)
        let entries = try apps.flatMap { app in
            let found = try admin.store.releaseListing(of: app.bundleIdentifier, count: limit)
            failures += found.failures
            return found.releases.map { ReleaseEntry($0, in: app) }
        }
        let all = try apps.reduce(0) {
            try $0 + admin.store.releaseIdentifiers(of: $1.bundleIdentifier).count
        }
        return ReleasesDocument(
            releases: entries,
            older: max(0, all - entries.count - failures.count),
            unreadable: failures,
        )
    }

    package func release(_ release: String, of app: String) throws -> ReleaseCardDocument {
        let (app, release) = try find(release, of: app)
        let now = admin.clock()
        let report = try admin.store.report(of: release)
        return ReleaseCardDocument(
            release,
            in: app,
            report: report,
            verdicts: RegisterVerdicts(of: report, for: try admin.store.devices(), at: now),
            at: now,
        )
    }

    package func verdicts(of release: String?, of app: String) throws -> RegisterDocument {
        let app = try admin.app(named: app)
        let found =
            try release.map { try admin.release(named: $0, of: app) }
            ?? admin.offeredRelease(of: app)
        let now = admin.clock()
        let report = try admin.store.report(of: found)
        return RegisterDocument(
            report.verdict(at: now),
            expiry: report.expiries.first,
            verdicts: RegisterVerdicts(of: report, for: try admin.store.devices(), at: now),
            udids: namesDevices,
            names: namesDevices,
        )
    }

    package func withdraw(
        _ release: String,
        of app: String,
        reason: String,
    ) throws -> ReleaseDocument {
        let (app, release) = try find(release, of: app)
        let after = try admin.withdraw(
            release.identifier,
            of: app.bundleIdentifier,
            reason: reason,
        )
        return ReleaseDocument(release: ReleaseEntry(after, in: app))
    }

    package func restore(_ release: String, of app: String) throws -> ReleaseDocument {
        let (app, release) = try find(release, of: app)
        let after = try admin.restore(release.identifier, of: app.bundleIdentifier)
        return ReleaseDocument(release: ReleaseEntry(after, in: app))
    }

    package func promote(
        _ release: String,
        of app: String,
        to channel: ChannelName,
    ) throws -> ReleaseDocument {
        let (app, release) = try find(release, of: app)
        let promotion = try admin.promote(
            release.identifier,
            of: app.bundleIdentifier,
            to: channel,
        )
        return ReleaseDocument(
            release: ReleaseEntry(release, in: promotion.app),
            findings: promotion.findings,
            previous: promotion.previous,
        )
    }

    package func changeNotes(
        of release: String,
        of app: String,
        to notes: String,
    ) throws -> ReleaseDocument {
        let (app, release) = try find(release, of: app)
        let after = try admin.changeNotes(
            of: release.identifier,
            of: app.bundleIdentifier,
            to: notes,
        )
        return ReleaseDocument(release: ReleaseEntry(after, in: app))
    }

    package func provenance(
        of release: String,
        of app: String,
        digesting: Bool,
    ) throws -> ProvenanceDocument {
        let (_, release) = try find(release, of: app)
        let store = admin.store
        return ProvenanceDocument(
            release,
            envelope: try store.envelope(of: release),
            key: PublicKey(of: try store.provenanceKey()),
            found: digesting
                ? try SHA256Digest(reading: store.open(release.sha256).source) : nil,
        )
    }

    package func prune(_ app: String, _ prune: Prune) throws -> PruneDocument {
        let removed = try admin.prune(try admin.app(named: app).bundleIdentifier, prune)
        return PruneDocument(removed: removed.map(\.rawValue), dryRun: prune.isDryRun)
    }

    private func find(
        _ release: String,
        of app: String,
    ) throws -> (app: AppRecord, release: Release) {
        let app = try admin.app(named: app)
        return (app, try admin.release(named: release, of: app))
    }
}
