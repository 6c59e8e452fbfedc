package import Bytes
import PropertyLists

/// A rule of a seal, from `rules` or `rules2`.
package struct SealRule: Hashable, Sendable {
    package let pattern: PathPattern
    package let weight: Double
    /// Matching files are not sealed, and may be added, changed or removed.
    package let isOmitted: Bool
    /// Matching files may be missing.
    package let isOptional: Bool
    /// Matching files are nested code, sealed by its signature (macOS).
    package let isNested: Bool

    /// Reads a rule as Security's `ResourceBuilder::addRule` does: `true`, `false` to omit, or a
    /// dictionary.
    init(_ pattern: PathPattern, _ value: PropertyList) {
        self.pattern = pattern
        weight = value["weight"].flatMap { $0.real ?? $0.integer.map(Double.init) } ?? 1
        isOmitted = value["omit"]?.boolean ?? (value.boolean == false)
        isOptional = value["optional"]?.boolean ?? false
        isNested = value["nested"]?.boolean ?? false
    }
}

/// The rules of a seal.
package struct SealRuleSet: Hashable, Sendable {
    /// The maximum number of rules; Security has no limit, and no real seal has more than twenty.
    static let greatestCount = 256
    /// The maximum number of pattern nodes in one seal; Apple's have three hundred.
    static let greatestSize = 20_000
    /// The maximum number of pattern nodes in an app; each takes a hundred bytes during the survey.
    static let greatestTotalSize = 200_000
    /// The total number of matching steps for an app: a tenth of a second.
    static let budget = 20_000_000

    package let rules: [SealRule]
    /// Patterns that are not valid regular expressions, with the reason.
    package let malformed: [String: MalformedPattern]

    /// Reads the rules; the nodes of their patterns are deducted from `allowance`, which is shared by the
    /// app.
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

    /// The rule that applies to a path: the matching one with the greatest weight.
    ///
    /// For equal weights, Security's `findRule` takes the first in an unspecified order, and on watches
    /// the one that omits. Seals of Xcode 9 and earlier have `^` and `^Info\.plist$` with the same
    /// weight, and every device treats those files as omitted; so does this function.
    ///
    /// - Returns: nil when no rule matches, so that the file is not sealed.
    /// - Throws: ``TooCostly`` when `budget` is exhausted.
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

    /// The patterns take more steps than any real ones; a finding reports it.
    package struct TooCostly: Error {}
}

extension SealRule {
    fileprivate var rank: Int { isOmitted ? 1 : 0 }
}
