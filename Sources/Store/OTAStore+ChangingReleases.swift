import Bundles
package import Cryptography
package import Essentials
package import Identifiers
package import Inspection
package import Releases

extension OTAStore {
    /// Changes the part of a release's record that does not describe its bytes; `recording` is as in
    /// ``change(_:else:_:recording:)``.
    ///
    /// - Returns: the release, and whether anything changed.
    /// - Throws: ``ReleaseRefusal/unknownRelease(_:)``, the errors of `change`, and ``StoreFailure``.
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

    /// The release that a channel has just started to offer; nil if it was removed at the same time.
    ///
    /// Bypasses the cache.
    ///
    /// If the end of a channel withdrew the release at the same time, the withdrawal is undone; one by a
    /// user stays.
    package func releaseAsOffered(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws -> Release? {
        guard let release = try self.release(identifier, of: app, isCurrent: true) else {
            return nil
        }
        guard release.withdrawal?.endedChannel != nil else { return release }
        do {
            return try changeRelease(identifier, of: app) {
                if $0.withdrawal?.endedChannel != nil { $0.withdrawal = nil }
            }.release
        } catch ReleaseRefusal.unknownRelease {
            return nil
        }
    }

    /// Removes a release unless a channel offers it or `isKept` is true.
    ///
    /// If a channel starts to offer it at the same time, this is noticed afterwards and the release is
    /// restored.
    ///
    /// - Parameters:
    ///   - identifier: the release.
    ///   - app: its app.
    ///   - actor: who removes it, for the activity.
    ///   - date: the current time.
    ///   - isKept: whether to keep the release, given the record about to be deleted.
    /// - Returns: whether the release was removed.
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
            // It was changed at the same time, perhaps pinned.
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

    /// The bytes that are stored for a report.
    package static func encoded(_ report: InspectionReport) throws(StoreFailure) -> [UInt8] {
        try DocumentCoding.encode(report, for: DocumentName(known: "report"))
    }

    /// Whether a channel offers the release.
    ///
    /// Bypasses the cache.
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
    /// Checks that a build may be used for an app.
    ///
    /// - Throws: ``archivedApp(_:)``.
    package static func checkUse(of app: AppRecord?) throws(ReleaseRefusal) {
        if let app, app.isArchived { throw .archivedApp(app.slug) }
    }

    /// Checks that a channel may have an end.
    ///
    /// - Throws: ``lastingChannel(_:)``.
    package static func checkEnd(
        of channel: ChannelName,
        in app: AppRecord?,
    ) throws(ReleaseRefusal) {
        guard channel != .stable, app?.mayEnd(channel) ?? true else {
            throw .lastingChannel(channel)
        }
    }

    /// Checks that a channel has not ended, unless it gets a new end.
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

    /// Checks that `digest` may be published under the version and build of an existing release.
    ///
    /// - Throws: ``withdrawn(_:)`` and ``otherBytes(_:there:)``.
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
