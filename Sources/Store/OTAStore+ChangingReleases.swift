import Bundles
package import Cryptography
package import Essentials
package import Identifiers
package import Inspection
package import Releases

extension OTAStore {
    /// Changes what a release's record says beside its bytes; `recording` as in
    /// ``change(_:else:_:recording:)``.
    ///
    /// - Returns: the release, and whether anything changed.
    /// - Throws: ``ReleaseRefusal/unknownRelease(_:)``, what `change` throws, and ``StoreFailure``.
    package func changeRelease(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
        _ change: (inout Release) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> (release: Release, isChanged: Bool) {
        let name = try DocumentName.release(identifier, of: app)
        guard try backend.stamp(of: name) != nil else {
            throw ReleaseRefusal.unknownRelease(identifier)
        }
        let result = try self.change(name, else: nil, change, recording: recording)
        return (result.value, result.isChanged)
    }

    /// Whether a release is there that a channel has just begun to offer, past the cache.
    ///
    /// What an end of a channel withdrew at the same moment is brought back.
    package func isThereAsOffered(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws -> Bool {
        let name = try DocumentName.release(identifier, of: app)
        guard let release = try value(Release.self, name, isCurrent: true) else { return false }
        guard release.withdrawal?.endedChannel != nil else { return true }
        do {
            _ = try changeRelease(identifier, of: app) {
                if $0.withdrawal?.endedChannel != nil { $0.withdrawal = nil }
            }
            return true
        } catch ReleaseRefusal.unknownRelease {
            return false
        }
    }

    /// Removes a release unless a channel offers it, or something else keeps it.
    ///
    /// A channel that begins to offer it at the same moment is looked for once more afterwards, and
    /// the release is put back for it.
    ///
    /// - Parameters:
    ///   - identifier: of the release.
    ///   - app: of which app.
    ///   - actor: who removes it, for the activity.
    ///   - date: now.
    ///   - isKept: whether the record says that the release is to stay, as it is when it is removed.
    /// - Returns: whether it is gone.
    /// - Throws: ``StoreFailure``.
    package func removeRelease(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
        by actor: String,
        at date: Date,
        unless isKept: (Release) -> Bool = { $0.pin != nil },
    ) throws(StoreFailure) -> Bool {
        func entry(_ event: Activity.Event) throws(StoreFailure) -> JournalEntry {
            try Self.entry(
                Activity(
                    date: date,
                    actor: actor,
                    event: event,
                    app: app.rawValue,
                    subject: identifier.rawValue,
                )
            )
        }
        let name = try DocumentName.release(identifier, of: app)
        guard try !isOffered(identifier, of: app), let document = try backend.read(name) else {
            return false
        }
        guard
            try !isKept(
                DocumentCoding.decode(Release.self, from: document.bytes, path: name.path)
            )
        else { return false }
        do throws(StoreFailure) {
            try backend.delete(name, at: document.version, adding: try entry(.pruned))
        } catch .conflict {
            // It was changed at the same moment, perhaps pinned.
            return false
        }
        cache.forget(name)
        cache.forget(try .releases(of: app))
        guard try isOffered(identifier, of: app) else { return true }
        _ = try backend.writes(
            document.bytes,
            to: name,
            if: .absent,
            adding: try entry(.restored),
        )
        return false
    }

    /// The stored form of a report.
    package static func encoded(_ report: InspectionReport) throws(StoreFailure) -> [UInt8] {
        try DocumentCoding.encode(report, for: DocumentName(known: "report"))
    }

    /// Looks past the cache.
    private func isOffered(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws(StoreFailure) -> Bool {
        let name = try DocumentName.app(app)
        guard let document = try backend.read(name) else { return false }
        return try DocumentCoding.decode(AppRecord.self, from: document.bytes, path: name.path)
            .channels.values.contains(identifier)
    }
}

extension ReleaseRefusal {
    /// Refuses a build for an app that is archived.
    ///
    /// - Throws: ``archivedApp(_:)``.
    package static func checkUse(of app: AppRecord?) throws(ReleaseRefusal) {
        if let app, app.isArchived { throw .archivedApp(app.slug) }
    }

    /// Refuses an end for a channel that lasts.
    package static func checkEnd(
        of channel: ChannelName,
        in app: AppRecord?,
    ) throws(ReleaseRefusal) {
        guard channel != .stable, app?.mayEnd(channel) ?? true else {
            throw .lastingChannel(channel)
        }
    }

    /// Refuses to let a channel that has ended offer something again, unless with a new end.
    ///
    /// - Throws: ``closedChannel(_:)``.
    package static func checkOpening(
        of channel: ChannelName,
        until end: Date?,
        in app: AppRecord?,
        at date: Date,
    ) throws(ReleaseRefusal) {
        guard end == nil, app?.isClosed(channel, at: date) == true else { return }
        throw .closedChannel(channel)
    }

    /// Refuses to publish `digest` over a release, where that is not allowed.
    package static func check(
        _ there: Release,
        against digest: SHA256Digest,
        replace: Bool,
    ) throws(ReleaseRefusal) {
        if there.archive(digest) != nil {
            guard there.withdrawal == nil || there.withdrawal?.endedChannel != nil else {
                throw .withdrawn(there.identifier)
            }
        } else {
            guard replace else {
                throw .otherBytes(there.identifier, there: there.original.sha256)
            }
        }
    }
}
