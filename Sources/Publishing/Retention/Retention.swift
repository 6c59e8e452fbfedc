import Cryptography
package import Essentials
import Identifiers
package import Releases
package import Store

/// Removes the releases of apps that their rules do not keep, and the files that nothing refers to then.
///
/// What is about to go is written down first, in ``RetentionLedger``. After a crash at any step the next run
/// continues, asks the rules again about what is left, and says once what was freed.
package struct Retention: Sendable {
    /// What rules say of an app, or what they removed.
    package struct Outcome: Sendable {
        package let plan: RetentionPlan
        /// The releases that are gone, or would be.
        package let removed: [ReleaseIdentifier]
        /// Bytes of the files that nothing refers to any longer, or would.
        package let freed: Int
    }

    private let store: OTAStore
    private let actor: String
    private let date: Date

    /// - Parameters:
    ///   - store: where the apps are.
    ///   - actor: a token's name, the user of the command line, or ``ChannelCloser/server``.
    ///   - date: now.
    package init(in store: OTAStore, by actor: String, at date: Date) {
        self.store = store
        self.actor = actor
        // Documents keep whole seconds.
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    /// What would go, and what that would free; nothing changes.
    ///
    /// - Parameters:
    ///   - app: whose releases.
    ///   - rules: which of them stay; nil for those that hold.
    /// - Returns: what would become of each release.
    /// - Throws: ``StoreFailure``, also where a document of the store cannot be read.
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

    /// Applies the rules that hold to some apps.
    ///
    /// - Returns: what became of each of them.
    /// - Throws: ``StoreFailure``, also where a document of the store cannot be read.
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

    /// Continues what an earlier run began and did not finish.
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
        // What cannot be read stays, and the server's check names it.
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
            // Rules, pins and channels may have changed since it was written down.
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
