package import Releases

/// The body of `PUT …/rules`: the app's own rules in full; without a number and an age, everything stays.
package struct RulesRequest: Codable, Sendable, Equatable {
    package let newest: Int?
    package let days: Int?
    /// Whether releases stay that are installed on a device; true if absent.
    package let installed: Bool?
    private let inherits: Bool?

    private enum CodingKeys: String, CodingKey {
        case newest, days, installed
        case inherits = "default"
    }

    /// - Parameter rules: the app's own rules; nil for the default ones.
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

/// The body of `PUT /rules`.
package struct DefaultRulesRequest: Codable, Sendable, Equatable {
    package let newest: Int?
    package let days: Int?
    /// Whether releases stay that are installed on a device; true if absent.
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

/// The body of `POST …/rules/apply`; with `dryRun` it can try rules that are not saved.
package struct ApplyRulesRequest: Codable, Sendable, Equatable {
    package let newest: Int?
    package let days: Int?
    package let installed: Bool?
    private let dryRun: Bool?

    /// - Parameters:
    ///   - isDryRun: whether to remove nothing.
    ///   - rules: for a dry run, the rules to try in place of the saved ones.
    package init(isDryRun: Bool, under rules: RetentionRules? = nil) {
        dryRun = isDryRun
        newest = rules?.newest
        days = rules?.days
        installed = rules?.keepsInstalled
    }

    package var isDryRun: Bool { dryRun ?? false }

    /// The rules to try; nil for the saved ones.
    package var rules: RetentionRules? {
        guard newest != nil || days != nil || installed != nil else { return nil }
        return RetentionRules(newest: newest, days: days, keepsInstalled: installed ?? true)
    }
}

/// The body of `POST …/pin`.
package struct PinRequest: Codable, Sendable, Equatable {
    /// Why the release stays, in one line; nil if no reason is given.
    package let reason: String?

    package init(reason: String?) {
        self.reason = reason
    }
}
