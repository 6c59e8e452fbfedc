import Cryptography
package import Essentials
import Identifiers
package import Releases
package import Store

/// Removes the releases of apps that their rules do not keep, and the files that nothing refers to then.
///
/// Removals are recorded in ``RetentionLedger`` before they begin. After a crash at any step the next run
/// continues, checks the rules again for what is left, and reports once what was freed.
package struct Retention: Sendable {
    /// What rules select in an app, or what they removed.
    package struct Outcome: Sendable {
        package let plan: RetentionPlan
        /// The releases that were, or would be, removed.
        package let removed: [ReleaseIdentifier]
        /// The size in bytes of the files that nothing refers to any more, or would.
        package let freed: Int
    }

    private let store: OTAStore
    private let actor: String
    private let date: Date

    /// - Parameters:
    ///   - store: the store with the apps.
    ///   - actor: a token's name, the user of the command line, or ``ChannelCloser/server``.
    ///   - date: the current time.
    package init(in store: OTAStore, by actor: String, at date: Date) {
        self.store = store
        self.actor = actor
        // Documents have whole seconds.
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    /// Returns what would be removed, and what that would free; changes nothing.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - rules: the rules to preview; nil for the current ones.
    /// - Returns: the decision for each release.
    /// - Throws: ``StoreFailure``, also if a document of the store cannot be read.
    package func preview(_ app: AppRecord, under rules: RetentionRules? = nil) throws -> Outcome {
        let plan = try plan(of: app, under: rules, installed: store.installedReleases())
        let going = plan.going
        let blobs = going.isEmpty ? [:] : try store.blobs(onlyOf: [app.bundleIdentifier: going])
        return Outcome(
            plan: plan,
            removed: going,
            freed: (blobs[app.bundleIdentifier] ?? [:]).values.reduce(0, +),
        )
    }

    /// Applies the current rules to some apps.
    ///
    /// - Returns: the result for each of them.
    /// - Throws: ``StoreFailure``, also if a document of the store cannot be read.
    package func apply(to apps: [AppRecord]) throws -> [Outcome] {
        let installed = try store.installedReleases()
        let plans = try apps.map { try plan(of: $0, installed: installed) }
        let going = plans.filter { !$0.going.isEmpty }
        guard !going.isEmpty else { return plans.map { Outcome(plan: $0, removed: [], freed: 0) } }
        let blobs = try store.blobs(
            onlyOf: going.reduce(into: [:]) { $0[$1.app] = $1.going }
        )
        let removals = going.map { plan in
            OpenRemoval(
                app: plan.app,
                date: date,
                actor: actor,
                releases: plan.going,
                blobs: (blobs[plan.app] ?? [:]).sorted { $0.key.description < $1.key.description }
                    .map { OpenRemoval.Blob(sha256: $0.key, size: $0.value) },
            )
        }
        try store.changeRetention { ledger in
            for removal in removals where !ledger.open.contains(removal) {
                ledger.open.append(removal)
            }
        }
        let removed = try finish(removals)
        return plans.map { plan in
            let done = removed[plan.app]
            return Outcome(
                plan: plan,
                removed: done?.removed ?? [],
                freed: done?.freed ?? 0,
            )
        }
    }

    /// Continues removals that an earlier run did not finish.
    ///
    /// - Throws: ``StoreFailure``.
    package func resume() throws {
        let open = try store.retention().open
        if !open.isEmpty { _ = try finish(open) }
    }

    private func plan(
        of app: AppRecord,
        under rules: RetentionRules? = nil,
        installed: InstalledReleases,
    ) throws -> RetentionPlan {
        // An unreadable release stays, and the server's check reports it.
        RetentionPlan(
            of: app,
            try store.releases(of: app.bundleIdentifier),
            under: try rules ?? store.retentionRules(of: app),
            installed: installed,
            at: date,
        )
    }

    private typealias Done = (removed: [ReleaseIdentifier], freed: Int)

    private func finish(_ removals: [OpenRemoval]) throws -> [BundleIdentifier: Done] {
        let installed = try store.installedReleases()
        for removal in removals {
            guard let app = try store.app(removal.app, isCurrent: true) else { continue }
            // Rules, pins and channels may have changed since the removal was recorded.
            let going = Set(try plan(of: app, installed: installed).going)
            for release in removal.releases where going.contains(release) {
                _ = try store.removeRelease(release, of: removal.app, by: removal.actor, at: date)
            }
        }
        let gone = try removals.map { removal in
            let there = Set(try store.releaseIdentifiers(of: removal.app))
            return removal.releases.filter { !there.contains($0) }
        }
        let free = try store.free(Set(removals.flatMap(\.blobs).map(\.sha256)))
        var done: [BundleIdentifier: Done] = [:]
        for (removal, gone) in zip(removals, gone) {
            let freed = removal.blobs.filter { free.contains($0.sha256) }.reduce(0) { $0 + $1.size }
            try store.changeRetention { ledger in
                ledger.open.removeAll { $0 == removal }
            } recording: {
                gone.isEmpty ? [] : [Activity(removal, gone, freed: freed, at: date)]
            }
            let before = done[removal.app]
            done[removal.app] = ((before?.removed ?? []) + gone, (before?.freed ?? 0) + freed)
        }
        return done
    }
}

extension Activity {
    fileprivate init(
        _ removal: OpenRemoval,
        _ gone: [ReleaseIdentifier],
        freed: Int,
        at date: Date,
    ) {
        let names = gone.prefix(3).map(\.rawValue).joined(separator: ", ")
        self.init(
            date: date,
            actor: removal.actor,
            event: .rulesApplied,
            app: removal.app.rawValue,
            subject: Wording.count(gone.count, "release"),
            detail: names + (gone.count > 3 ? " and more" : "")
                + "; \(Wording.size(freed)) freed",
        )
        removed = RemovedReleases(gone, freed: freed)
    }
}
