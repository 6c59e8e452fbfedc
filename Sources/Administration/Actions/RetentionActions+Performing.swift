package import APIDocuments
import Bytes
import Foundation
import Identifiers
package import Publishing
import Releases
import Store

extension Actions {
    static let retention: [any PerformedAction.Type] = [
        ShowRules.self, ChangeRules.self, ApplyRules.self, ShowDefaultRules.self,
        ChangeDefaultRules.self, PinRelease.self, UnpinRelease.self,
    ]
}

extension ShowRules: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RulesDocument {
        let admin = administration.admin
        return try admin.rulesDocument(of: admin.app(named: app))
    }
}

extension ChangeRules: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RulesDocument {
        let admin = administration.admin
        let rules = content.rules
        guard rules?.isValid ?? true else { throw AdministrationRefusal.badRules }
        let found = try admin.app(named: app)
        let now = admin.clock()
        try admin.store.awaitRetentionHour(from: now)
        let changed = try admin.store.changeApp(found.bundleIdentifier) {
            $0.retention = rules
        } recording: {
            [
                admin.activity(
                    .appChanged,
                    app: found,
                    found.title,
                    detail: rules.map { "keeps \($0.words)" } ?? "uses the rules for all apps",
                    at: now,
                )
            ]
        }
        return try admin.rulesDocument(of: changed)
    }
}

extension ShowDefaultRules: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RulesDocument {
        try administration.admin.rulesDocument(of: nil)
    }
}

extension ChangeDefaultRules: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RulesDocument {
        let admin = administration.admin
        let rules = content.rules
        guard rules.isValid else { throw AdministrationRefusal.badRules }
        let wanted = rules.keepsEverything ? nil : rules
        let now = admin.clock()
        try admin.store.awaitRetentionHour(from: now)
        try admin.store.changeSettings {
            $0.retention = wanted
        } recording: {
            let words = "apps without rules of their own keep \(rules.words)"
            return [admin.activity(.settingsChanged, words, at: now)]
        }
        return try admin.rulesDocument(of: nil)
    }
}

extension ApplyRules: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RetentionDocument {
        let admin = administration.admin
        guard content.rules?.isValid ?? true else { throw AdministrationRefusal.badRules }
        let found = try admin.app(named: app)
        let work = Retention(in: admin.store, by: admin.name, at: admin.clock())
        let outcome =
            content.isDryRun
            ? try work.preview(found, under: content.rules) : try work.apply(to: [found])[0]
        return RetentionDocument(outcome, isDryRun: content.isDryRun)
    }
}

extension PinRelease: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ReleaseDocument {
        let admin = administration.admin
        let app = try admin.app(named: app)
        let release = try admin.release(named: release, of: app)
        let reason = try content.reason.map { try Administrator.checked(reason: $0) }
        let now = admin.clock()
        let pin = ReleasePin(date: now, actor: admin.name, reason: reason)
        let changed = try admin.store.changeRelease(
            release.identifier,
            of: app.bundleIdentifier,
        ) {
            // A release that is already pinned stays unchanged, unless another reason is given.
            if $0.pin == nil || reason != nil && $0.pin?.reason != reason { $0.pin = pin }
        } recording: {
            let name = release.identifier.rawValue
            return [admin.activity(.releasePinned, app: app, name, detail: reason, at: now)]
        }
        return ReleaseDocument(release: ReleaseEntry(changed.release, in: app))
    }
}

extension UnpinRelease: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ReleaseDocument {
        let admin = administration.admin
        let app = try admin.app(named: app)
        let release = try admin.release(named: release, of: app)
        let now = admin.clock()
        let changed = try admin.store.changeRelease(
            release.identifier,
            of: app.bundleIdentifier,
        ) {
            $0.pin = nil
        } recording: {
            [admin.activity(.releaseUnpinned, app: app, release.identifier.rawValue, at: now)]
        }
        return ReleaseDocument(release: ReleaseEntry(changed.release, in: app))
    }
}

extension Administrator {
    fileprivate func rulesDocument(of app: AppRecord?) throws -> RulesDocument {
        let rules =
            try app.map { try store.retentionRules(of: $0) } ?? store.settings().retention
            ?? .everything
        return RulesDocument(
            rules,
            of: app,
            isDefault: app.map { $0.retention == nil } ?? true,
            // A date in the past means that the server was not running then.
            next: try store.retention().last.map { OTAStore.nextRetention(after: $0) }
                .flatMap { $0 > clock() ? $0 : nil },
        )
    }
}

extension RetentionDocument {
    /// - Parameters:
    ///   - outcome: what the rules select in an app, or removed.
    ///   - isDryRun: whether nothing was removed.
    package init(_ outcome: Retention.Outcome, isDryRun: Bool) {
        self.init(
            app: outcome.plan.app.rawValue,
            dryRun: isDryRun,
            removed: outcome.removed.map(\.rawValue),
            freed: outcome.freed,
            releases: outcome.plan.lines.map { line in
                Line(
                    release: line.release.rawValue,
                    published: line.published,
                    reasons: line.reasons.map { Reason(id: $0.name, message: $0.words) },
                )
            },
        )
    }
}
