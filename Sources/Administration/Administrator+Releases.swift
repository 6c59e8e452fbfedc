import Bytes
import Bundles
package import Identifiers
package import Publishing
package import Releases
import Store

extension Administrator {
    /// The longest reason for a withdrawal that testers are shown, in characters.
    package static let reasonLimit = 500

    /// Withdraws a release: it can no longer be installed, and its page says why.
    ///
    /// - Throws: ``AdministrationRefusal/badReason``, ``ReleaseRefusal``, ``StoreFailure``.
    @discardableResult
    package func withdraw(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        reason: String,
    ) throws -> Release {
        let reason = try Self.checked(reason: reason)
        return try store.withdraw(
            release,
            of: app,
            as: Release.Withdrawal(date: clock(), actor: name, reason: reason),
        )
    }

    /// Returns a reason as one line.
    ///
    /// - Throws: ``AdministrationRefusal/badReason``.
    static func checked(reason: String) throws(AdministrationRefusal) -> String {
        // Line breaks become spaces; no other control characters are kept.
        let isPlain = reason.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control || $0.properties.isWhitespace
        }
        guard isPlain, PrintableText.isVisible(reason), reason.count <= reasonLimit,
            reason.utf8.count <= 4 * reasonLimit
        else { throw .badReason }
        return PrintableText(line: reason).text
    }

    /// Restores a withdrawn release.
    @discardableResult
    package func restore(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws -> Release {
        try store.restoreRelease(release, of: app, by: name, at: clock())
    }

    /// Promotes an existing release to a channel.
    ///
    /// - Returns: the changed app, and how the release compares with the one offered before.
    @discardableResult
    package func promote(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        to channel: ChannelName,
        lasting life: ChannelLife? = nil,
    ) throws -> Promotion {
        try store.promote(release, of: app, to: channel, lasting: life, by: name, at: clock())
    }

    /// Replaces the release notes of a release.
    ///
    /// - Parameters:
    ///   - release: the release.
    ///   - app: the release's app.
    ///   - notes: the new release notes in Markdown.
    ///   - isExpected: whether the release is still as the client has seen it.
    /// - Returns: the changed release.
    /// - Throws: ``AdministrationRefusal``, ``ReleaseRefusal``, ``StoreFailure``.
    @discardableResult
    package func changeNotes(
        of release: ReleaseIdentifier,
        of app: BundleIdentifier,
        to notes: String,
        if isExpected: (Release) throws -> Bool = { _ in true },
    ) throws -> Release {
        let count = notes.utf8.count
        guard count <= PublishOptions.notesLimit else {
            throw AdministrationRefusal.notesTooLong(count, limit: PublishOptions.notesLimit)
        }
        let now = clock()
        return try store.changeRelease(release, of: app) { record in
            guard try isExpected(record) else {
                throw AdministrationRefusal.changedMeanwhile("the release")
            }
            record.notes = notes
        } recording: {
            try store.app(app).map {
                [activity(.notesChanged, app: $0, release.rawValue, at: now)]
            } ?? []
        }.release
    }

    /// Removes old releases of an app.
    ///
    /// - Returns: what was removed or, in a dry run, would be.
    @discardableResult
    package func prune(_ app: BundleIdentifier, _ prune: Prune) throws -> Pruned {
        try prune.run(on: app, in: store, by: name, at: clock())
    }
}
