import CodeSignature

/// `pattern`: a search takes bounded work, and an equivalent pattern gives the same result.
///
/// The input is a pattern, a zero byte, and a path.
struct PathPatterns: PlainInputKind {
    static let name = "pattern"

    private static let greatestStates = 4096

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases: [(String, String)] = [
            ("^.*", "a"), ("^.*\\.lproj/", "en.lproj/a.strings"), ("^version.plist$", "b"),
            ("^.*\\.lproj/locversion.plist$", "en.lproj/locversion.plist"),
            ("(^|/)\\.DS_Store$", "a/.DS_Store"), ("^[^/]+$", "file"),
            ("^(Frameworks|PlugIns|Library/(Automator|Spotlight))/", "PlugIns/a"),
            ("a{2,3}b?(c|)+[[:alpha:]-]*", "aabcc-d"),
        ]
        var seeds: [String: [UInt8]] = [:]
        for (index, (pattern, path)) in cases.enumerated() {
            seeds["\(index)"] = Array(pattern.utf8) + [0] + Array(path.utf8)
        }
        return seeds
    }

    func check(_ input: [UInt8]) {
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard let source = String(validating: parts[0], as: UTF8.self),
            let pattern = Self.pattern(source)
        else { return }
        let path = parts.count > 1 ? Array(parts[1].prefix(256)) : []
        let isFound = Self.isFound(pattern, in: path)
        checkBudget(of: pattern, in: path, isFound)
        // A pattern below the limits on length, depth and states can be written in other ways.
        guard source.utf8.count < 200 else { return }
        let same = ["(\(source))", "(\(source)){1}", "(\(source))|(\(source))"]
        for other in same.compactMap(Self.pattern) {
            promise(
                Self.isFound(other, in: path) == isFound,
                "\(other.source) and \(source) do not agree",
            )
        }
        for always in ["(\(source))?", "(\(source))*", "(\(source))|^"].compactMap(Self.pattern) {
            promise(Self.isFound(always, in: path), "\(always.source) is not everywhere")
        }
        if let anchored = Self.pattern("^(\(source))"), Self.isFound(anchored, in: path) {
            promise(isFound, "\(source) is found at the start and nowhere")
        }
        if let twice = Self.pattern("(\(source)){2}"), Self.isFound(twice, in: path) {
            promise(isFound, "\(source) is found twice and not once")
        }
    }

    private static func pattern(_ source: String) -> PathPattern? {
        accepted { () throws(MalformedPattern) in try PathPattern(source) }
    }

    private static func isFound(_ pattern: PathPattern, in path: [UInt8]) -> Bool {
        var budget = enough(for: path)
        guard let isFound = pattern.matches(path, budget: &budget) else {
            stop("\(pattern.source) takes more than states times bytes")
        }
        return isFound
    }

    /// Each state is entered at most once at each position, which is recorded.
    private static func enough(for path: [UInt8]) -> Int {
        (greatestStates + 1) * (path.count + 2) + 1
    }

    private func checkBudget(of pattern: PathPattern, in path: [UInt8], _ isFound: Bool) {
        let enough = Self.enough(for: path)
        var rest = enough
        _ = pattern.matches(path, budget: &rest)
        let taken = enough - rest
        promise(taken >= 0, "a search gave work back")
        var exact = taken + 1
        promise(
            pattern.matches(path, budget: &exact) == isFound,
            "a search that has what it takes gives up, or finds something else",
        )
        var scarce = taken / 2
        if let early = pattern.matches(path, budget: &scarce) {
            promise(early == isFound, "a small budget changes the answer")
        } else {
            promise(scarce == 0, "a search gave up with work to spare")
        }
    }
}
