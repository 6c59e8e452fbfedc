import Bundles
package import Essentials
import Identifiers
package import Inspection
package import Releases

extension OTAStore {
    /// The result of ``publish(_:report:replace:until:)``.
    package struct Publication: Sendable {
        /// The release in the store; an earlier one if the same bytes had already been published.
        package let release: Release
        package let app: AppRecord
        /// Whether the release or its bytes are new.
        package let isCreated: Bool
        /// The release that the channel offered before.
        package let before: ReleaseIdentifier?
    }

    /// Makes a release visible whose blobs are already in the store.
    ///
    /// It writes the record of a new app, then the release, then the channel with the activity, then the
    /// profiles.
    ///
    /// Each step is durable before the next one starts. A crash therefore leaves at most an app without
    /// releases, or a release that no channel offers yet, but never a release without the app's record,
    /// which says who may see it. Repeating the call completes the rest, including the activity. No step
    /// reads other releases.
    ///
    /// - Parameters:
    ///   - release: the release to publish.
    ///   - report: its inspection report.
    ///   - replace: whether it may replace other bytes with the same version and build.
    ///   - end: when the release's channel ends; nil leaves the end unchanged.
    /// - Returns: the release as stored, its app, and what the channel offered before.
    /// - Throws: ``ReleaseRefusal`` for other bytes with the same version and build unless `replace`, for a
    ///   withdrawn release, for an end of a channel that cannot end, and for a channel that has ended and
    ///   gets no new end; ``StoreFailure`` if the store fails.
    package func publish(
        _ release: Release,
        report: InspectionReport,
        replace: Bool = false,
        until end: Date? = nil,
    ) throws -> Publication {
        try requireBlobs(of: release)
        let known = try known(release)
        try check(release, until: end, in: known)
        backend.prepareChanges(
            of: [
                try .app(release.bundleIdentifier), .profiles, Self.journal(at: release.published),
            ],
            adding: [try .release(release.identifier, of: release.bundleIdentifier)],
        )
        let kept = try keep(release, replace: replace)
        let isRepeated = kept.outcome == .repeated
        let before = known.channels[release.channel]
        let pointed = try point(release, to: kept.release, until: end, kept.outcome)
        // If it was pruned in between, store it again.
        if try releaseAsOffered(release.identifier, of: release.bundleIdentifier) == nil {
            _ = try keep(release, replace: replace)
        }
        try note(report.profilesByBundle, of: kept.release)
        if !pointed.isMoved {
            // If another server pointed the channel at it, its journal entry may still be pending.
            try backend.completeEntry(of: .app(release.bundleIdentifier))
            if !isRepeated {
                // Another publish of the same bytes was faster.
                let own = release.activity(kept.outcome.event)
                try record(own, unless: [own])
            } else if release.channel == kept.release.channel {
                // The first attempt may have ended before it was recorded.
                try recordIfMissing(
                    kept.release.activity(.published),
                    or: kept.release.activity(.replaced),
                    at: release.published,
                )
            }
        }
        return Publication(
            release: kept.release,
            app: pointed.app,
            isCreated: !isRepeated,
            before: before,
        )
    }

    private enum Outcome {
        case created, replaced, repeated

        /// The event for the activity.
        var event: Activity.Event { self == .replaced ? .replaced : .published }
    }

    private func check(
        _ release: Release,
        until end: Date?,
        in app: AppRecord,
    ) throws(ReleaseRefusal) {
        let channel = release.channel
        try ReleaseRefusal.checkUse(of: app)
        if end != nil { try ReleaseRefusal.checkEnd(of: channel, in: app) }
        try ReleaseRefusal.checkOpening(of: channel, until: end, in: app, at: release.published)
    }

    /// A blob must exist before anything refers to it.
    private func requireBlobs(of release: Release) throws(StoreFailure) {
        for blob in release.blobs {
            guard try backend.isThere(blob) else { throw .missingBlob(blob) }
        }
    }

    private func keep(
        _ release: Release,
        replace: Bool,
    ) throws -> (release: Release, outcome: Outcome) {
        let name = try DocumentName.release(release.identifier, of: release.bundleIdentifier)
        if try write(release, to: name, if: .absent) { return (release, .created) }
        // A release with this version and build exists already: compare its bytes.
        var isRepeated = false
        let change = try change(name, else: release) { there in
            try ReleaseRefusal.check(there, against: release.sha256, replace: replace)
            isRepeated = there.archive(release.sha256) != nil
            if isRepeated {
                there.keepAgain(release.sha256)
                // Publishing undoes a withdrawal by the end of a channel.
                if there.withdrawal?.endedChannel != nil { there.withdrawal = nil }
                there.join(release.channel)
            } else {
                let before = there
                there = release
                there.inheritChannels(of: before)
            }
        }
        return (change.value, isRepeated ? .repeated : .replaced)
    }

    /// Makes a channel offer the release, and records that together with the change.
    ///
    /// A repeated publish, such as an old CI job that is run again, does not replace a release published to
    /// the channel since then, but still sets the channel's end.
    ///
    /// - Parameters:
    ///   - published: the release as passed by the caller, with its channel.
    ///   - release: the release as stored.
    ///   - end: when the channel ends; nil leaves the end unchanged.
    ///   - outcome: whether the release was created, replaced or already stored.
    /// - Returns: the changed app, and whether the channel offered something else before.
    /// - Throws: ``ReleaseRefusal`` for the channel, and ``StoreFailure``.
    private func point(
        _ published: Release,
        to release: Release,
        until end: Date?,
        _ outcome: Outcome,
    ) throws -> (app: AppRecord, isMoved: Bool) {
        let identifier = release.bundleIdentifier
        let channel = published.channel
        var isMoved = false
        let change = try change(.app(identifier), else: nil) { (app: inout AppRecord) in
            try check(published, until: end, in: app)
            var offer = release.identifier
            if outcome == .repeated, channel == release.channel,
                let current = app.channels[channel],
                let offered = try self.release(current, of: identifier),
                try self.isOvertaken(release, by: offered, at: published.published)
            {
                offer = current
            }
            isMoved = app.channels[channel] != offer
            app.offer(offer, on: channel, until: end)
        } recording: {
            guard isMoved else { return [] }
            guard outcome == .repeated else { return [published.activity(outcome.event)] }
            // The process of the first attempt may have ended before the channel offered the release.
            // Record it now with the date of that attempt, by which later attempts find it.
            let isFirst = try channel == release.channel && !isTold(release)
            return [isFirst ? release.activity(.published) : published.activity(.published)]
        }
        return (change.value, isMoved)
    }

    /// Whether the journal records how the release got onto its own channel.
    private func isTold(_ release: Release) throws(StoreFailure) -> Bool {
        try backend.completeEntry(of: .app(release.bundleIdentifier))
        if try isRecorded(release.activity(.published)) { return true }
        return try isRecorded(release.activity(.replaced))
    }

    /// Whether another release was put on the channel after this one.
    ///
    /// Dates have a resolution of one second. Of two releases with the same date, this one came first if
    /// its publish is in the journal, which is written together with the channel; otherwise its publish
    /// ended early and is completed now. The same is true if its first publish may still be running on
    /// another server: that publish will make the channel offer it, whatever was published meanwhile, and
    /// only one of the two may record it.
    private func isOvertaken(
        _ release: Release,
        by offered: Release,
        at now: Date,
    ) throws(StoreFailure) -> Bool {
        guard offered.identifier != release.identifier else { return false }
        let isLater = offered.published > release.published
        let mayBeUnderWay = abs(now.timeIntervalSince(release.published)) < Self.longestPublish
        guard offered.published == release.published || isLater && mayBeUnderWay else {
            return isLater
        }
        return try isTold(release)
    }

    /// The most seconds from a release's date to the end of its publish, allowing for clocks that differ by
    /// some minutes.
    private static var longestPublish: TimeInterval { 900 }

    /// The record of the release's app, created if there is none yet.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` if the record existed: it may have restricted access to the app.
    private func known(_ release: Release) throws -> AppRecord {
        let identifier = release.bundleIdentifier
        if let app = try app(identifier) { return app }
        let new = AppRecord(
            bundleIdentifier: identifier,
            title: release.name,
            slug: try claimSlug(for: release.name, by: identifier),
            created: release.published,
        )
        return try change(.app(identifier), else: new) { _ in }.value
    }

    /// Records the profiles of a release's current IPA, and the bundle of each.
    func note(
        _ profiles: [(bundle: String, profile: ProfileSummary)],
        of release: Release,
    ) throws {
        guard !profiles.isEmpty else { return }
        try changeProfiles { register in
            for place in profiles {
                let use = ProfileRecord.Use(
                    app: release.bundleIdentifier,
                    release: release.identifier,
                    bundle: place.bundle,
                )
                register.note(place.profile, in: use)
            }
        }
    }
}

extension Release {
    fileprivate func activity(_ event: Activity.Event) -> Activity {
        Activity(
            date: published,
            actor: publisher,
            event: event,
            app: bundleIdentifier.rawValue,
            subject: identifier.rawValue,
            detail: "\(channel)",
        )
    }
}

extension InspectionReport {
    /// Every profile of the build with the bundle that carries it.
    var profilesByBundle: [(bundle: String, profile: ProfileSummary)] {
        var found: [(bundle: String, profile: ProfileSummary)] = []
        if let profile { found.append((identity.path, profile)) }
        for bundle in nested {
            if let profile = bundle.profile { found.append((bundle.path, profile)) }
        }
        return found
    }
}
