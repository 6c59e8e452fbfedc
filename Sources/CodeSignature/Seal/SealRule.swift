package import Bytes
import PropertyLists

/// What a seal covers: one rule of `rules` or `rules2`.
package struct SealRule: Hashable, Sendable {
    package let pattern: PathPattern
    package let weight: Double
    /// What matches is not sealed, and may come and go.
    package let isOmitted: Bool
    /// What matches may be missing.
    package let isOptional: Bool
    /// What matches is code that is sealed as such (macOS).
    package let isNested: Bool

    /// Security's `ResourceBuilder::addRule`: `true`, `false` for an omission, or a dictionary.
    init(_ pattern: PathPattern, _ value: PropertyList) {
        self.pattern = pattern
        weight = value["weight"].flatMap { $0.real ?? $0.integer.map(Double.init) } ?? 1
        isOmitted = value["omit"]?.boolean ?? (value.boolean == false)
        isOptional = value["optional"]?.boolean ?? false
        isNested = value["nested"]?.boolean ?? false
    }
}

/// The rules of a seal, and which of them decides.
package struct SealRuleSet: Hashable, Sendable {
    /// Security refuses none of this, and no real seal has more than twenty.
    static let greatestCount = 256
    /// Parts of all patterns of one seal; Apple's have three hundred.
    static let greatestSize = 20_000
    /// Parts of all patterns of an app: each takes a hundred bytes for as long as it is surveyed.
    static let greatestTotalSize = 200_000
    /// Steps of all searches for an app: a tenth of a second.
    static let budget = 20_000_000

    package let rules: [SealRule]
    /// Patterns that are no regular expressions, with the reason.
    package let malformed: [String: MalformedPattern]

    /// Reads rules, whose parts are taken from the `allowance` of the app.
    init(_ value: PropertyList?, allowance: inout Int) {
        let greatestSize = min(Self.greatestSize, allowance)
        var remaining = greatestSize
        defer { allowance -= greatestSize - remaining }
        var rules: [SealRule] = []
        var malformed: [String: MalformedPattern] = [:]
        let sources = (value?.dictionary ?? [:]).sorted { $0.key < $1.key }
        for (source, value) in sources.prefix(Self.greatestCount) {
            do throws(MalformedPattern) {
                rules.append(SealRule(try PathPattern(source, allowance: &remaining), value))
            } catch {
                malformed[source] = error
            }
        }
        for (source, _) in sources.dropFirst(Self.greatestCount) {
            malformed[source] = MalformedPattern(offset: 0, reason: "too many rules")
        }
        self.rules = rules
        self.malformed = malformed
    }

    /// The rule that decides about a path: the one with the greatest weight.
    ///
    /// Security's `findRule` takes the first of equals in no order that anyone knows, and on watches
    /// the one that omits. Seals of Xcode 9 and before have `^` and `^Info\.plist$` with the same
    /// weight, and every device takes those files for omitted: so does this.
    ///
    /// - Returns: nil when no rule matches, which means that nothing is sealed there.
    package func deciding(
        _ path: RelativePath,
        budget: inout Int,
    ) throws(SealRuleSet.TooCostly) -> SealRule? {
        var best: SealRule?
        for rule in rules {
            if let best, (rule.weight, rule.rank) <= (best.weight, best.rank) { continue }
            guard let isMatch = rule.pattern.matches(path.bytes, budget: &budget) else {
                throw TooCostly()
            }
            if isMatch { best = rule }
        }
        return best
    }

    /// The patterns ask for more work than any real ones; a finding says so.
    package struct TooCostly: Error {}
}

extension SealRule {
    fileprivate var rank: Int { isOmitted ? 1 : 0 }
}
