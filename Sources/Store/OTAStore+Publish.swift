import Bundles
package import Essentials
import Identifiers
package import Inspection
package import Releases

extension OTAStore {
    /// What became of a release that was handed to ``publish(_:report:replace:until:)``.
    package struct Publication: Sendable {
        /// The release as the store has it; an earlier one when the same bytes were there already.
        package let release: Release
        package let app: AppRecord
        /// Whether the release is new, or its bytes are.
        package let isCreated: Bool
        /// What the channel offered before.
        package let before: ReleaseIdentifier?
    }

    /// Makes a release visible, whose blobs are in the store already: the record of a new app, then
    /// release, then channel with the activity, then profiles.
    ///
    /// Each step lasts before the next begins, so a crash leaves at most an app without releases, or a
    /// release that no channel offers yet, and never a release without the record that says who may
    /// see it. The same call again completes it, the activity too. No step reads other releases.
    ///
    /// - Parameters:
    ///   - release: what is published.
    ///   - report: what was found in it.
    ///   - replace: whether other bytes may take the place of the same version and build.
    ///   - end: when the release's channel ends; nil leaves that as it is.
    /// - Returns: the release as it is kept, and whether its channel offers it.
    /// - Throws: ``ReleaseRefusal`` for other bytes under the same version and build unless
    ///   `replace`, for a withdrawn release, for the end of a channel that lasts, and for a channel
    ///   that has ended and gets no new end; ``StoreFailure`` when the store cannot.
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
        // Where it was pruned between the two, it is there again.
        if try !isThereAsOffered(release.identifier, of: release.bundleIdentifier) {
            _ = try keep(release, replace: replace)
        }
        try note(report.profilesByBundle, of: kept.release)
        if !pointed.isMoved {
            // The server that pointed the channel to it may not have announced it yet: those lines wait for the journal.
            try backend.completeEntry(of: .app(release.bundleIdentifier))
            if !isRepeated {
                // Another publish of the same bytes was quicker.
                let own = release.activity(kept.outcome.event)
                try record(own, unless: [own])
            } else if release.channel == kept.release.channel {
                // What is repeated may have ended before it was in the journal.
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

        /// What the activity calls it.
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

    /// A reference must never come before what it refers to.
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
        // A release has this version and build already: the same bytes, or others?
        var isRepeated = false
        let change = try change(name, else: release) { there in
            try ReleaseRefusal.check(there, against: release.sha256, replace: replace)
            isRepeated = there.archive(release.sha256) != nil
            if isRepeated {
                there.keepAgain(release.sha256)
                // What the end of a channel took back comes back with a publish.
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

    /// Lets a channel offer the release, and records that together with the change.
    ///
    /// A publish that is repeated, as CI does with an old job, does not take a channel back from
    /// what was published there since; the end of the channel moves all the same.
    ///
    /// - Parameters:
    ///   - published: what is published now, with the channel.
    ///   - release: the same as the store has it.
    ///   - end: when the channel ends; nil leaves that as it is.
    ///   - outcome: what became of the release; the store had a repeated one already.
    /// - Returns: the app as it is now, and whether the channel offered something else before.
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
            // The process of the first attempt may have ended before the channel offered the release. The
            // activity gets its entry now, with the date of that attempt, by which later attempts find it.
            let isFirst = try channel == release.channel && !isTold(release)
            return [isFirst ? release.activity(.published) : published.activity(.published)]
        }
        return (change.value, isMoved)
    }

    /// Whether the journal says how the release got onto its own channel.
    private func isTold(_ release: Release) throws(StoreFailure) -> Bool {
        try backend.completeEntry(of: .app(release.bundleIdentifier))
        if try isRecorded(release.activity(.published)) { return true }
        return try isRecorded(release.activity(.replaced))
    }

    /// Whether another release was put on the channel after this one.
    ///
    /// Dates are kept to the second. Of two releases of one second, this one was there before if the
    /// journal has its publish, which comes with the channel; if not, its publish ended early and is
    /// completed now. The same is true of one whose first publish may be under way on another server: that one
    /// will let the channel offer it, whatever came meanwhile, and only one of the two may tell it.
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

    /// Seconds from the date of a release to the end of its publish, with clocks that are some minutes wrong.
    private static var longestPublish: TimeInterval { 900 }

    /// The record of the release's app, made where there is none yet.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` where there was one: it may have closed the app.
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

    /// Notes the profiles of a release's current IPA, and where each is.
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
