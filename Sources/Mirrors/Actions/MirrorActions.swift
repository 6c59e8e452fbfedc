import Essentials
import GitRepositories
import Identifiers
import Releases
import Sandboxing
import Store

/// What an admin does with mirrors, entered in the activity.
package struct MirrorActions: Sendable {
    package let place: MirrorContext
    /// Who asks, for the activity.
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

    /// Changes how a repository is followed, or its secrets; the activity tells what has changed, and of
    /// secrets only which.
    ///
    /// - Throws: ``MirrorRefusal``, ``PipelineFlaw``, `StoreFailure`; nothing has changed then.
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
        // With the first document that changes; those of the secrets may be all.
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
        // What was pushed meanwhile was refused, and is not said again.
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

    /// Asks for a sync, which a running server takes up.
    ///
    /// - Returns: its number, which ``MirrorState/answered`` has reached when it is over.
    /// - Throws: ``MirrorRefusal`` when the mirror is gone or paused, `StoreFailure`.
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

    /// Ends to follow a repository: its copy, its builds' records and its secrets are removed; releases
    /// that it made stay.
    ///
    /// - Throws: ``MirrorRefusal/busy(_:)`` while it is fetched or built, `StoreFailure`.
    package func remove(_ mirror: Mirror) throws {
        let name = mirror.name
        guard let builds = try MirrorLock(.build, of: name, in: place.store, place.folders),
            let fetches = try MirrorLock(.fetch, of: name, in: place.store, place.folders)
        else { throw MirrorRefusal.busy(name) }
        defer { withExtendedLifetime((builds, fetches)) {} }
        // In the register to the last, so that what fails can be tried again.
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
