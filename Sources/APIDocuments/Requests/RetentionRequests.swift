package import Releases

/// `PUT …/rules`: rules of the app's own, all of them; without a number and an age everything stays.
package struct RulesRequest: Codable, Sendable, Equatable {
    package let newest: Int?
    package let days: Int?
    /// Whether what is installed on a device stays; true where it is absent.
    package let installed: Bool?
    private let inherits: Bool?

    private enum CodingKeys: String, CodingKey {
        case newest, days, installed
        case inherits = "default"
    }

    /// - Parameter rules: the app's own; nil for those for all apps.
    package init(_ rules: RetentionRules?) {
        newest = rules?.newest
        days = rules?.days
        installed = rules?.keepsInstalled
        inherits = rules == nil ? true : nil
    }

    /// Whether the app has no rules of its own.
    package var usesDefault: Bool { inherits ?? false }

    package var rules: RetentionRules? {
        usesDefault
            ? nil : RetentionRules(newest: newest, days: days, keepsInstalled: installed ?? true)
    }
}

/// `PUT /rules`.
package struct DefaultRulesRequest: Codable, Sendable, Equatable {
    package let newest: Int?
    package let days: Int?
    /// Whether what is installed on a device stays; true where it is absent.
    package let installed: Bool?

    package init(_ rules: RetentionRules) {
        newest = rules.newest
        days = rules.days
        installed = rules.keepsInstalled
    }

    package var rules: RetentionRules {
        RetentionRules(newest: newest, days: days, keepsInstalled: installed ?? true)
    }
}

/// `POST …/rules/apply`; with `dryRun` also for rules that are not saved.
package struct ApplyRulesRequest: Codable, Sendable, Equatable {
    package let newest: Int?
    package let days: Int?
    package let installed: Bool?
    private let dryRun: Bool?

    /// - Parameters:
    ///   - isDryRun: whether nothing is removed.
    ///   - rules: with a dry run, rules in place of those that hold.
    package init(isDryRun: Bool, under rules: RetentionRules? = nil) {
        dryRun = isDryRun
        newest = rules?.newest
        days = rules?.days
        installed = rules?.keepsInstalled
    }

    package var isDryRun: Bool { dryRun ?? false }

    /// The rules to try; nil for those that hold.
    package var rules: RetentionRules? {
        guard newest != nil || days != nil || installed != nil else { return nil }
        return RetentionRules(newest: newest, days: days, keepsInstalled: installed ?? true)
    }
}

/// `POST …/pin`.
package struct PinRequest: Codable, Sendable, Equatable {
    /// Why the release stays, in one line; nil for no reason.
    package let reason: String?

    package init(reason: String?) {
        self.reason = reason
    }
}
