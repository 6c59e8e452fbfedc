import Bytes
import Mirrors
import Versions

/// A pattern of artifacts: it matches the paths that ``ArtifactSearch`` finds with it, and everything in a
/// folder that it finds.
struct ArtifactPattern: Sendable {
    private let parts: [Part]

    private enum Part {
        /// `**`: any folders.
        case folders
        case name(Wildcard, isPlain: Bool)
    }

    init(_ pattern: String) {
        var parts = pattern.utf8.split(separator: UInt8(ascii: "/")).map { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            return text == "**"
                ? Part.folders
                : .name(
                    Wildcard(text, crossing: false),
                    isPlain: !text.utf8.contains { "*?".utf8.contains($0) },
                )
        }
        // At the end it matches every file.
        if case .folders = parts.last {
            parts.append(.name(Wildcard("*", crossing: false), isPlain: false))
        }
        self.parts = parts
    }

    /// Whether the pattern matches the path or a folder above it, in time proportional to at most the
    /// product of their lengths.
    func covers(_ path: RelativePath) -> Bool {
        guard !parts.isEmpty else { return false }
        // The indices of the parts that may come next after the components so far.
        var places = reach([0])
        for component in path.components {
            var next: Set<Int> = []
            for place in places {
                switch parts[place] {
                case .folders: next.insert(place)
                case .name(let wildcard, let isPlain):
                    // As in a shell, a star does not match hidden names.
                    let isHidden = component.bytes.first == UInt8(ascii: ".")
                    guard isPlain || !isHidden, wildcard.matches(component.text) else { continue }
                    if place + 1 == parts.count { return true }
                    next.insert(place + 1)
                }
            }
            places = reach(next)
            if places.isEmpty { return false }
        }
        return false
    }

    /// Adds the places after `**`, which also matches no folder at all.
    private func reach(_ places: Set<Int>) -> Set<Int> {
        var all = places
        for place in places.sorted() {
            var next = place
            while next < parts.count, case .folders = parts[next] {
                next += 1
                all.insert(next)
            }
        }
        return all.filter { $0 < parts.count }
    }
}

extension Pipeline {
    /// The patterns of all files that a runner sends back: the artifacts of a build, and the entitlements
    /// of their apps.
    func handedIn(by run: MirrorRun) -> [String] {
        var patterns: [String] = []
        for rule in artifacts where rule.conditions.hold(for: run) {
            let claims =
                [rule.entitlements].compactMap(\.self) + rule.nestedEntitlements.values.sorted()
            for pattern in [rule.path] + claims
            where !patterns.contains(where: { $0.isBytes(of: pattern) }) {
                patterns.append(pattern)
            }
        }
        return patterns
    }
}
