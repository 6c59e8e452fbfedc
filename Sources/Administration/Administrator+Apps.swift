package import APIDocuments
import Access
import Bytes
import Bundles
import Cryptography
package import Identifiers
package import Releases
import Store

extension Administrator {
    /// Changes an app's title, its access, and what the server does for it automatically.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - change: the new settings.
    ///   - isExpected: whether the app is still as the client has seen it.
    /// - Returns: the changed app.
    /// - Throws: ``AdministrationRefusal``, also if the app is not as expected; ``SlugRefusal``,
    ///   ``PassphraseRefusal``, ``TeamRefusal``, ``StoreFailure``.
    @discardableResult
    package func changeApp(
        _ app: BundleIdentifier,
        _ change: AppChange,
        if isExpected: (AppRecord) throws -> Bool = { _ in true },
    ) throws -> AppRecord {
        if let title = change.title { try Self.check(title: title) }
        guard let current = try store.app(app) else {
            throw AdministrationRefusal.unknownApp(
                app.rawValue,
                known: try store.apps().map(\.slug),
            )
        }
        let passphrase = try prepare(change)
        func apply(to record: inout AppRecord) throws {
            guard try isExpected(record) else {
                throw AdministrationRefusal.changedMeanwhile("the app")
            }
            try Self.apply(change, passphrase, to: &record)
        }
        // First, so that a refused change does not claim a slug.
        var tried = current
        try apply(to: &tried)
        if let slug = change.slug { try store.claim(slug, for: app) }
        let now = clock()
        var before = current
        var after = current
        return try store.changeApp(app) { record in
            before = record
            try apply(to: &record)
            after = record
        } recording: {
            let words = Self.difference(before, after)
            return [activity(.appChanged, app: after, after.title, detail: words, at: now)]
        }
    }

    /// Checks that the team and the groups of a change exist, and hashes its passphrase.
    ///
    /// Hashing is deliberately slow, so it is done before the store is locked.
    func prepare(_ change: AppChange) throws -> PassphraseHash? {
        if let days = change.renewalDays, !AppRecord.renewalRange.contains(days) {
            throw AdministrationRefusal.badRenewalDays(days)
        }
        try check(groups: change.access?.groups ?? [])
        if let team = change.team?.team, try store.team(team) == nil {
            throw TeamRefusal.unknown(team.rawValue)
        }
        return try change.passphrase.map { text throws(PassphraseRefusal) in
            try PassphraseHash(text, random: randomBytes)
        }
    }

    /// Applies a change to a record that is not stored yet.
    ///
    /// - Throws: ``AdministrationRefusal/noPassphrase``, ``AdministrationRefusal/needlessPassphrase(_:)``,
    ///   ``TeamRefusal/noTeamForSigning``.
    static func apply(
        _ change: AppChange,
        _ passphrase: PassphraseHash?,
        to record: inout AppRecord,
    ) throws {
        record.title = change.title ?? record.title
        record.access = change.access ?? record.access
        record.slug = change.slug ?? record.slug
        record.passphrase = passphrase ?? record.passphrase
        guard record.access != .passphrase || record.passphrase != nil else {
            throw AdministrationRefusal.noPassphrase
        }
        guard passphrase == nil || record.access == .passphrase else {
            throw AdministrationRefusal.needlessPassphrase(record.access)
        }
        record.isListed = change.isListed ?? record.isListed
        record.isArchived = change.isArchived ?? record.isArchived
        if let choice = change.team {
            record.team = choice.team
            if choice.team == nil { record.signing = .manual }
        }
        if let signing = change.signing { record.signing = signing }
        guard change.signing != .automatic || record.team != nil else {
            throw TeamRefusal.noTeamForSigning
        }
        record.approval = change.approval ?? record.approval
        if let channels = change.freshChannels { record.freshChannels = channels.names }
        record.renewalDays = change.renewalDays ?? record.renewalDays
        if let choice = change.minimumVersion { record.minimumVersion = choice.minimum }
        record.feedback = change.feedback ?? record.feedback
    }

    static func check(title: String) throws(AdministrationRefusal) {
        guard PrintableText.isVisible(title), PrintableText(line: title).text == title,
            title.count <= AppChange.titleLimit, title.utf8.count <= 8 * AppChange.titleLimit
        else { throw .badTitle(PrintableText(escaping: title).text) }
    }

    private static func difference(_ before: AppRecord, _ after: AppRecord) -> String {
        var parts: [String] = []
        if before.title != after.title { parts.append("title \(before.title) → \(after.title)") }
        if before.access != after.access {
            parts.append("access \(before.access) → \(after.access)")
        }
        if before.slug != after.slug { parts.append("URL name \(before.slug) → \(after.slug)") }
        if before.passphrase != after.passphrase { parts.append("new passphrase") }
        if before.isListed != after.isListed {
            parts.append(after.isListed ? "listed" : "not listed")
        }
        if before.isArchived != after.isArchived {
            parts.append(after.isArchived ? "archived" : "no longer archived")
        }
        if before.team != after.team {
            parts.append("team " + (after.team?.rawValue ?? "none"))
        }
        if before.signing != after.signing { parts.append("signing \(after.signing.rawValue)") }
        if before.approval != after.approval {
            parts.append("approval \(after.approval.rawValue)")
        }
        if before.freshChannels != after.freshChannels {
            let names = FreshChannels(after.freshChannels).names
            let words = names.map { $0.map(\.rawValue).joined(separator: ", ") }
            parts.append("signs \(words ?? "all channels") again")
        }
        if before.renewalDays != after.renewalDays {
            parts.append(
                "renews \(Wording.count(after.renewalDays, "day")) before the end"
            )
        }
        if before.minimumVersion != after.minimumVersion {
            parts.append("lowest version " + (after.minimumVersion?.description ?? "none"))
        }
        if before.feedback != after.feedback { parts.append("feedback \(after.feedback)") }
        return parts.joined(separator: ", ")
    }
}
