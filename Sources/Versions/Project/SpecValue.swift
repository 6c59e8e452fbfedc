import Yams

/// A value in a project file, as XcodeGen interprets it.
indirect enum SpecValue: Hashable, Sendable {
    case map([String: SpecValue])
    case list([SpecValue])
    case text(String)
    case nothing

    subscript(key: String) -> SpecValue {
        guard case .map(let entries) = self else { return .nothing }
        return entries[key] ?? .nothing
    }

    var entries: [String: SpecValue] {
        guard case .map(let entries) = self else { return [:] }
        return entries
    }

    /// The items of a list; a single value counts as a list with one item.
    var items: [SpecValue] {
        switch self {
        case .list(let items): items
        case .nothing: []
        default: [self]
        }
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// Merges with `other`, which takes precedence, as XcodeGen merges a file over its includes.
    func merged(with other: SpecValue) -> SpecValue {
        switch (self, other) {
        case (.map(var entries), .map(let others)):
            for (key, value) in others {
                if key.hasSuffix(":REPLACE") {
                    entries[String(key.dropLast(8))] = value
                } else if let own = entries[key] {
                    entries[key] = own.merged(with: value)
                } else {
                    entries[key] = value
                }
            }
            return .map(entries)
        case (.list(let items), .list(let others)): return .list(items + others)
        case (_, .nothing): return self
        default: return other
        }
    }
}

extension SpecValue {
    /// Parses YAML.
    ///
    /// - Throws: ``SettingsFlaw`` with `path`.
    init(yaml: String, path: String) throws(SettingsFlaw) {
        do throws(YAMLFlaw) {
            self = try BoundedYAML.node(yaml).map(Self.value) ?? .nothing
        } catch {
            throw .notYAML(path, reason: error.description)
        }
    }

    private static func value(_ node: Node) -> SpecValue {
        switch node {
        case .scalar: return scalar(node)
        case .sequence(let sequence): return .list(sequence.map(value))
        case .mapping(let mapping):
            var merged: [String: SpecValue] = [:]
            var own: [String: SpecValue] = [:]
            for (key, item) in mapping {
                let name = key.scalar?.string ?? ""
                guard name == "<<" else {
                    own[name] = value(item)
                    continue
                }
                for source in value(item).items.reversed() {
                    merged.merge(source.entries) { $1 }
                }
            }
            return .map(merged.merging(own) { $1 })
        case .alias: return .nothing
        }
    }

    /// Numbers as XcodeGen formats them: an unquoted `1.10` is the number 1.1.
    private static func scalar(_ node: Node) -> SpecValue {
        guard let scalar = node.scalar else { return .nothing }
        guard scalar.style == .plain else { return .text(scalar.string) }
        if node.null != nil { return .nothing }
        if let truth = node.bool { return .text(truth ? "YES" : "NO") }
        if let number = node.int { return .text(String(number)) }
        if let number = node.float, number.isFinite { return .text("\(number)") }
        return .text(scalar.string)
    }
}
