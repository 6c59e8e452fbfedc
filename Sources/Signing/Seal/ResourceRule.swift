import Bytes
import PropertyLists

/// The rules by which files are sealed: those that current versions of Xcode write for iOS.
///
/// The matching rule with the greatest weight applies; of two with equal weight, one that omits takes
/// precedence.
struct ResourceRule: Sendable {
    let pattern: String
    var weight: Double = 1
    var isOmitted = false
    var isOptional = false
    let matches: @Sendable (_ path: RelativePath) -> Bool

    var propertyList: PropertyList {
        var entries: [String: PropertyList] = [:]
        if weight != 1 { entries["weight"] = .real(weight) }
        if isOmitted { entries["omit"] = .boolean(true) }
        if isOptional { entries["optional"] = .boolean(true) }
        return entries.isEmpty ? .boolean(true) : .dictionary(entries)
    }

    /// The rule that applies to a path; every path has one, because the first rule of each set matches
    /// all.
    static func deciding(_ path: RelativePath, in rules: [ResourceRule]) -> ResourceRule? {
        var best: ResourceRule?
        for rule in rules where rule.matches(path) {
            if let best, (best.weight, best.rank) > (rule.weight, rule.rank) { continue }
            best = rule
        }
        return best
    }

    static func propertyList(_ rules: [ResourceRule]) -> PropertyList {
        .dictionary(Dictionary(uniqueKeysWithValues: rules.map { ($0.pattern, $0.propertyList) }))
    }

    private var rank: Int { isOmitted ? 1 : 0 }
}

extension ResourceRule {
    private static let localized = Array(".lproj/".utf8)

    private static let shared: [ResourceRule] = [
        ResourceRule(pattern: "^.*") { _ in true },
        ResourceRule(pattern: #"^.*\.lproj/"#, weight: 1000, isOptional: true) {
            $0.bytes.firstRange(of: localized) != nil
        },
        ResourceRule(pattern: #"^.*\.lproj/locversion.plist$"#, weight: 1100, isOmitted: true) {
            $0.hasSuffix(".lproj/locversion.plist")
        },
        ResourceRule(pattern: #"^Base\.lproj/"#, weight: 1010) { $0.hasPrefix("Base.lproj/") },
    ]

    /// Version 1, read by iOS before 7.
    static let version1 =
        shared + [ResourceRule(pattern: "^version.plist$") { $0 == "version.plist" }]

    static let version2 =
        shared + [
            ResourceRule(pattern: #".*\.dSYM($|/)"#, weight: 11) {
                $0.hasSuffix(".dSYM") || $0.bytes.firstRange(of: Array(".dSYM/".utf8)) != nil
            },
            ResourceRule(pattern: #"^(.*/)?\.DS_Store$"#, weight: 2000, isOmitted: true) {
                $0.name == ".DS_Store"
            },
            ResourceRule(pattern: #"^Info\.plist$"#, weight: 20, isOmitted: true) {
                $0 == "Info.plist"
            },
            ResourceRule(pattern: "^PkgInfo$", weight: 20, isOmitted: true) { $0 == "PkgInfo" },
            ResourceRule(pattern: #"^embedded\.provisionprofile$"#, weight: 20) {
                $0 == "embedded.provisionprofile"
            },
            ResourceRule(pattern: #"^version\.plist$"#, weight: 20) { $0 == "version.plist" },
        ]
}
