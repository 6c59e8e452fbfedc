import Access
package import Releases

/// Shows the retention rules of an app, and when the server applies them next.
package struct ShowRules: Action {
    package typealias Answer = RulesDocument
    package static let route = ActionRoute(.get, "/apps/{app}/rules", .onApp(.read))

    package let app: String

    package init(of app: String) {
        self.app = app
    }
}

/// Sets an app's own retention rules, or lets it use the default ones.
package struct ChangeRules: Action {
    package typealias Answer = RulesDocument
    package static let route = ActionRoute(.put, "/apps/{app}/rules", .onApp(.admin))

    package let app: String
    package let content: RulesRequest

    package init(of app: String, to request: RulesRequest) {
        self.app = app
        content = request
    }
}

/// Removes what the rules of an app do not keep, or shows what would be removed.
package struct ApplyRules: Action {
    package typealias Answer = RetentionDocument
    package static let route = ActionRoute(.post, "/apps/{app}/rules/apply", .onApp(.admin))

    package let app: String
    package let content: ApplyRulesRequest

    package init(of app: String, _ request: ApplyRulesRequest) {
        self.app = app
        content = request
    }
}

/// Shows the default rules, for apps without their own.
package struct ShowDefaultRules: Action {
    package typealias Answer = RulesDocument
    package static let route = ActionRoute(.get, "/rules", .everywhere(.admin))

    package init() {}
}

/// Changes the default rules, for apps without their own.
package struct ChangeDefaultRules: Action {
    package typealias Answer = RulesDocument
    package static let route = ActionRoute(.put, "/rules", .everywhere(.admin))

    package let content: DefaultRulesRequest

    package init(to rules: RetentionRules) {
        content = DefaultRulesRequest(rules)
    }
}

/// Pins a release, so that neither rules nor pruning remove it.
package struct PinRelease: Action {
    package typealias Answer = ReleaseDocument
    package static let route = ActionRoute(
        .post,
        "/apps/{app}/releases/{release}/pin",
        .onApp(.publish),
    )

    package let app: String
    package let release: String
    package let content: PinRequest

    package init(_ release: String, of app: String, reason: String? = nil) {
        self.app = app
        self.release = release
        content = PinRequest(reason: reason)
    }
}

/// Unpins a release, so that rules apply to it again.
package struct UnpinRelease: Action {
    package typealias Answer = ReleaseDocument
    package static let route = ActionRoute(
        .post,
        "/apps/{app}/releases/{release}/unpin",
        .onApp(.publish),
    )

    package let app: String
    package let release: String

    package init(_ release: String, of app: String) {
        self.app = app
        self.release = release
    }
}

extension RulesRequest: ActionContent {
    package static var keys: Set<String> { ["newest", "days", "installed", "default"] }

    package var flaw: ContentFlaw? {
        if let flaw = ContentFlaw(newest: newest, days: days) { return flaw }
        guard usesDefault, newest != nil || days != nil || installed != nil else { return nil }
        return ContentFlaw(
            "default cannot be combined with other rules",
            fix: "give default alone, or newest, days and installed without it",
        )
    }
}

extension ApplyRulesRequest: ActionContent {
    package static var keys: Set<String> { ["dryRun", "newest", "days", "installed"] }

    package var flaw: ContentFlaw? {
        if let flaw = ContentFlaw(newest: newest, days: days) { return flaw }
        guard !isDryRun, newest != nil || days != nil || installed != nil else { return nil }
        return ContentFlaw(
            "rules that are not saved need dryRun",
            fix: "save them with PUT …/rules first, or give dryRun",
        )
    }
}

extension DefaultRulesRequest: ActionContent {
    package static var keys: Set<String> { ["newest", "days", "installed"] }

    package var flaw: ContentFlaw? { ContentFlaw(newest: newest, days: days) }
}

extension PinRequest: ActionContent {
    package static var keys: Set<String> { ["reason"] }
}

extension ContentFlaw {
    /// Nil if both are within bounds.
    fileprivate init?(newest: Int?, days: Int?) {
        if let newest, !RetentionRules.newestRange.contains(newest) {
            self.init("newest is out of range", fix: "give a number from 0 to 1000")
        } else if let days, !RetentionRules.daysRange.contains(days) {
            self.init("days is out of range", fix: "give a number from 1 to 3650")
        } else {
            return nil
        }
    }
}
