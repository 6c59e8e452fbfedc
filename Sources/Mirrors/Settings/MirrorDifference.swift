import Bytes
import GitRepositories
import Versions

/// An admin's changes to a mirror as text for the activity; secrets are only named.
struct MirrorDifference {
    private let parts: [String]

    private static let limit = 500

    init(
        from old: Mirror,
        _ oldSecrets: MirrorSecrets,
        to new: Mirror,
        _ newSecrets: MirrorSecrets,
    ) {
        var parts = Self.settings.compactMap { name, words in
            let (before, after) = (words(old), words(new))
            return before == after ? nil : "\(name) \(before) → \(after)"
        }
        if let change = Self.change(of: "admin's pipeline", old.pipeline, new.pipeline) {
            parts.append(change)
        }
        parts += Self.secrets.compactMap { name, value in
            Self.change(of: name, value(oldSecrets), value(newSecrets))
        }
        parts += Self.variables(oldSecrets.variables, newSecrets.variables)
        self.parts = parts
    }

    /// Such as `interval 300 s → 600 s, SSH key replaced`; nil if nothing has changed.
    var words: String? {
        guard !parts.isEmpty else { return nil }
        return PrintableText(escaping: parts.joined(separator: ", "), limit: Self.limit).text
    }

    private static let settings: [(name: String, words: @Sendable (Mirror) -> String)] = [
        ("paused", { $0.isPaused ? "yes" : "no" }),
        ("address", { $0.address.description }),
        ("tags", { list($0.tags) }),
        ("branches", { list($0.branches) }),
        ("trusted", { list($0.trusted) }),
        ("apps", { $0.apps.map(list) ?? "any" }),
        ("prefix", { $0.prefix ?? "none" }),
        ("pipeline path", { $0.pipelinePath }),
        ("interval", { $0.interval.map { "\($0) s" } ?? "none" }),
        ("user", { $0.user ?? "the server's" }),
        ("isolation", { $0.isolation.rawValue }),
        ("network", { $0.allowsNetwork ? "yes" : "no" }),
        ("symbolic links", { $0.makesSymbolicLinks ? "yes" : "no" }),
        ("submodules", { $0.submodules?.rawValue ?? "none" }),
        ("readable folders", { $0.readableFolders?.joined(separator: " ") ?? "none" }),
        ("private addresses", { $0.isPublicOnly == true ? "refused" : "allowed" }),
        ("time limit", { "\($0.limits.buildSeconds) s" }),
        ("size limit", { megabytes($0.limits.fileBytes) }),
        ("memory limit", { $0.limits.memory.map(megabytes) ?? "none" }),
        ("disk limit", { megabytes($0.limits.diskBytes ?? MirrorLimits.defaultDiskBytes) }),
    ]

    private static let secrets: [(name: String, value: @Sendable (MirrorSecrets) -> String?)] = [
        ("credential for https", { $0.passwords }),
        ("SSH key", { $0.key }),
        ("known hosts", { $0.knownHosts }),
        ("authority", { $0.authority }),
        ("webhook secret", { $0.hook }),
    ]

    private static func list(_ patterns: [ReferencePattern]) -> String {
        patterns.map(\.description).joined(separator: " ")
    }

    private static func megabytes(_ bytes: Int) -> String { "\(bytes >> 20) MB" }

    private static func change(of name: String, _ old: String?, _ new: String?) -> String? {
        switch (old, new) {
        case _ where old == new: nil
        case (nil, _): "\(name) set"
        case (_, nil): "\(name) removed"
        default: "\(name) replaced"
        }
    }

    private static func variables(_ old: [String: String], _ new: [String: String]) -> [String] {
        Set(old.keys).union(new.keys).sorted().compactMap { name in
            change(of: "variable \(name)", old[name], new[name])
        }
    }
}
