import Bytes
package import Problems
package import Yams

/// Parses untrusted YAML in time and memory proportional to its length.
///
/// Yams copies the value of an alias to every place where it is used, and compares all keys of a mapping:
/// a few hundred bytes of aliases to aliases occupy it practically forever. So aliases are hidden from
/// it and resolved here, where every value they add is counted.
package enum BoundedYAML {
    package static let nodeLimit = 50_000
    private static let depthLimit = 64
    /// Replaces `*` while Yams parses: a private-use character, which YAML allows in plain scalars.
    private static let hidden: Character = "\u{E000}"

    /// Parses one document, whose keys must be scalars; nil for an empty document.
    ///
    /// - Throws: ``YAMLFlaw``.
    package static func node(_ text: String) throws(YAMLFlaw) -> Node? {
        guard !text.contains(hidden) else {
            throw YAMLFlaw(line: nil, reason: "it has a character of private use")
        }
        do {
            let parser = try Yams.Parser(yaml: text.replacing("*", with: String(hidden)))
            // Only the parser holds the names of anchors.
            return try withExtendedLifetime(parser) {
                var resolving = Resolving()
                return try parser.singleRoot().map { try resolving.resolve($0, depth: 0) }
            }
        } catch {
            throw error as? YAMLFlaw ?? YAMLFlaw(error)
        }
    }

    private struct Resolving {
        private var anchors: [String: Node] = [:]
        private var count = 0

        mutating func resolve(_ node: Node, depth: Int) throws(YAMLFlaw) -> Node {
            try add(1, for: node)
            guard depth < depthLimit else {
                throw YAMLFlaw(line: node.mark?.line, reason: "values are nested too deeply")
            }
            let resolved: Node
            switch node {
            case .scalar(let scalar):
                if scalar.style == .plain, scalar.string.first == hidden {
                    return try aliased(String(scalar.string.dropFirst()), at: node)
                }
                var shown = scalar
                // Setting the string clears the tag.
                if scalar.string.contains(hidden) {
                    shown.string = scalar.string.replacing(String(hidden), with: "*")
                    shown.tag = scalar.tag
                }
                resolved = .scalar(shown)
            case .sequence(let sequence):
                var items: [Node] = []
                for item in sequence { items.append(try resolve(item, depth: depth + 1)) }
                resolved = .sequence(.init(items, sequence.tag, sequence.style, sequence.mark))
            case .mapping(let mapping):
                var pairs: [(Node, Node)] = []
                for (key, value) in mapping {
                    let name = try resolve(key, depth: depth + 1)
                    guard name.scalar != nil else {
                        throw YAMLFlaw(line: key.mark?.line, reason: "a key is not a string")
                    }
                    pairs.append((name, try resolve(value, depth: depth + 1)))
                }
                resolved = .mapping(.init(pairs, mapping.tag, mapping.style, mapping.mark))
            case .alias(let alias):
                return try aliased(alias.anchor.rawValue, at: node)
            }
            if let anchor = node.anchor { anchors[anchor.rawValue] = resolved }
            return resolved
        }

        private mutating func aliased(_ name: String, at node: Node) throws(YAMLFlaw) -> Node {
            guard let value = anchors[name] else {
                throw YAMLFlaw(
                    line: node.mark?.line,
                    reason: "the alias *\(name) refers to nothing",
                )
            }
            try add(size(of: value, within: nodeLimit - count), for: node)
            return value
        }

        private mutating func add(_ nodes: Int, for node: Node) throws(YAMLFlaw) {
            count += nodes
            guard count <= nodeLimit else {
                throw YAMLFlaw(
                    line: node.mark?.line,
                    reason:
                        "it has more than \(nodeLimit.grouped) values, aliases counted as what they stand "
                        + "for",
                )
            }
        }

        /// Stops counting at the limit.
        private func size(of node: Node, within limit: Int) -> Int {
            var waiting = [node]
            var count = 0
            while let next = waiting.popLast(), count <= limit {
                count += 1
                switch next {
                case .sequence(let sequence): waiting += sequence
                case .mapping(let mapping): waiting += mapping.flatMap { [$0.key, $0.value] }
                default: continue
                }
            }
            return count
        }
    }
}

/// Why a text is not accepted as YAML.
package struct YAMLFlaw: ReportableError, Hashable, Sendable {
    /// The line number, from 1.
    package let line: Int?
    package let reason: String

    init(line: Int?, reason: String) {
        self.line = line
        self.reason = reason
    }

    init(_ error: any Error) {
        guard let error = error as? YamlError else {
            self.init(line: nil, reason: "it cannot be parsed")
            return
        }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(line: mark.line, reason: problem)
        case .duplicatedKeysInMapping(let keys, let context):
            self.init(
                line: context.mark.line,
                reason: "the key \(keys.first ?? "") is given twice",
            )
        default: self.init(line: nil, reason: "it cannot be parsed")
        }
    }

    package var description: String { (line.map { "line \($0): " } ?? "") + reason }
}

extension YAMLFlaw {
    package var id: String { "yaml.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var place: String { line.map { "line \($0)" } ?? "" }
    package var fix: String { "correct the line" }
}
