import Essentials
import GitRepositories
import Identifiers
import Releases
import Sandboxing
import Store

/// An admin's changes to mirrors, recorded in the activity.
package struct MirrorActions: Sendable {
    package let place: MirrorContext
    /// The user who makes the changes, for the activity.
    package let actor: String

    package init(in place: MirrorContext, by actor: String) {
        self.place = place
        self.actor = actor
    }

    /// Adds a mirror; nothing is fetched yet.
    ///
    /// - Throws: ``MirrorRefusal``, ``PipelineFlaw`` for the admin's own pipeline, `StoreFailure`.
    package func add(_ mirror: Mirror, secrets: MirrorSecrets) throws {
        try check(mirror)
        let activity = activity(.mirrorAdded, mirror, detail: mirror.address.description)
        try place.store.changeMirrors {
            try $0.add(mirror)
        } recording: {
            [activity]
        }
        if secrets != MirrorSecrets() {
            try place.store.changeSecrets(of: mirror.name) { $0 = secrets }
        }
    }

    /// Changes the settings of a mirror or its secrets.
    ///
    /// The activity records what has changed; of secrets it names only which.
    ///
    /// - Throws: ``MirrorRefusal`` and ``PipelineFlaw`` before anything changes; `StoreFailure`.
    package func change(
        _ name: Mirror,
        to changed: Mirror,
        secrets: ((inout MirrorSecrets) -> Void)?,
    ) throws {
        try check(changed)
        let before = try place.store.secrets(of: name.name)
        var after = before
        secrets?(&after)
        let difference = MirrorDifference(from: name, before, to: changed, after)
        let deed = difference.words.map { activity(.mirrorChanged, changed, detail: $0) }
        // Recorded with the first document that changes, which may be the secrets alone.
        var isTold = false
        try place.store.changeMirrors { register in
            try register.change(name.name) { $0 = changed }
        } recording: {
            isTold = true
            return [deed].compactMap(\.self)
        }
        let isElsewhere = name.address != changed.address
        if isElsewhere {
            try place.store.changeMirrorState(name.name) { $0.moveToNewAddress() }
        }
        // Pushes in the meantime were refused, and the hosts do not deliver them again.
        if !changed.isPaused, name.isPaused || isElsewhere {
            let mirror = try place.store.mirrorInUse(named: name.name.rawValue)
            try place.store.changeMirrorState(mirror.name) { _ = $0.ask(by: actor) }
        }
        guard let secrets else { return }
        try place.store.changeSecrets(of: name.name) {
            secrets(&$0)
        } recording: {
            isTold ? [] : [deed].compactMap(\.self)
        }
    }

    /// Requests a sync, which a running server performs.
    ///
    /// - Returns: the request's number; the sync is over once ``MirrorState/answered`` has reached it.
    /// - Throws: ``MirrorRefusal`` if the mirror does not exist or is paused, `StoreFailure`.
    @discardableResult
    package func askForSync(of name: String) throws -> Int {
        let mirror = try place.store.mirrorInUse(named: name)
        var number = 0
        try place.store.changeMirrorState(mirror.name) {
            number = $0.ask(by: actor)
        } recording: {
            [activity(.syncAsked, mirror, detail: nil)]
        }
        return number
    }

    /// Removes a mirror with its copy of the repository, its builds' records and its secrets; the releases
    /// that it published stay.
    ///
    /// - Throws: ``MirrorRefusal/busy(_:)`` while it is being fetched or built, `StoreFailure`.
    package func remove(_ mirror: Mirror) throws {
        let name = mirror.name
        guard let builds = try MirrorLock(.build, of: name, in: place.store, place.folders),
            let fetches = try MirrorLock(.fetch, of: name, in: place.store, place.folders)
        else { throw MirrorRefusal.busy(name) }
        defer { withExtendedLifetime((builds, fetches)) {} }
        // The register's entry is removed last, so that a removal that fails can be repeated.
        try place.store.forgetAll(of: name)
        let activity = activity(.mirrorRemoved, mirror, detail: nil)
        try place.store.changeMirrors {
            try $0.remove(name)
        } recording: {
            [activity]
        }
        for path in place.folders.all(of: name) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private func check(_ mirror: Mirror) throws {
        if let pipeline = mirror.pipeline { _ = try Pipeline(yaml: pipeline) }
        if let user = mirror.user {
            guard let entry = SystemUser(named: user) else { throw MirrorRefusal.noUser(user) }
            guard SystemUser.isRoot || entry.isOwn else { throw MirrorRefusal.needsRoot(user) }
        }
        if mirror.isolation == .bwrap, Sandbox.executable == nil { throw MirrorRefusal.noSandbox }
    }

    private func activity(
        _ event: Activity.Event,
        _ mirror: Mirror,
        detail: String?,
    ) -> Activity {
        Activity(
            date: place.now,
            actor: actor,
            event: event,
            subject: mirror.name.rawValue,
            detail: detail,
        )
    }
}
