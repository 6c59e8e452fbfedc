import Bytes
import Yams

/// One value of a pipeline with its position, which every refusal names.
struct PipelineNode {
    let node: Node
    /// The value's name in messages: `steps[2].run`.
    let name: String

    func flaw(_ reason: String) -> PipelineFlaw {
        let mark = node.mark
        return PipelineFlaw(line: mark?.line ?? 0, column: mark?.column ?? 0, reason: reason)
    }

    /// Reads a mapping, all of whose keys must be known.
    func mapping(
        _ known: Set<String>
    ) throws(PipelineFlaw) -> [String: PipelineNode] {
        guard case .mapping(let mapping) = node else {
            throw flaw("\(name) must be a mapping of names to values")
        }
        var entries: [String: PipelineNode] = [:]
        for (key, value) in mapping {
            let place = PipelineNode(node: key, name: name)
            guard case .scalar(let scalar) = key else { throw place.flaw("a name is a plain word") }
            guard known.contains(scalar.string) else {
                throw place.flaw(
                    "\(quoted: scalar.string) is not a known key; allowed here: "
                        + "\(known.sorted().joined(separator: ", "))"
                )
            }
            let path = name.isEmpty ? scalar.string : "\(name).\(scalar.string)"
            entries[scalar.string] = PipelineNode(node: value, name: path)
        }
        return entries
    }

    /// Reads a list.
    func list(limit: Int) throws(PipelineFlaw) -> [PipelineNode] {
        guard case .sequence(let sequence) = node else { throw flaw("\(name) must be a list") }
        guard sequence.count <= limit else { throw flaw("\(name) has more than \(limit) entries") }
        return sequence.enumerated().map { PipelineNode(node: $1, name: "\(name)[\($0 + 1)]") }
    }

    /// Reads a list; a single value stands for a list of one.
    func oneOrMore(limit: Int) throws(PipelineFlaw) -> [PipelineNode] {
        if case .scalar = node { return [self] }
        return try list(limit: limit)
    }

    /// Reads a text that is not empty.
    func text(limit: Int) throws(PipelineFlaw) -> String {
        guard case .scalar(let scalar) = node else { throw flaw("\(name) must be a string") }
        guard !scalar.string.isEmpty else { throw flaw("\(name) is empty") }
        guard scalar.string.utf8.count <= limit else {
            throw flaw("\(name) has more than \(limit.grouped) bytes")
        }
        guard !scalar.string.unicodeScalars.contains("\0") else {
            throw flaw("\(name) has a NUL character in it")
        }
        return scalar.string
    }

    func flag() throws(PipelineFlaw) -> Bool {
        switch try text(limit: 10) {
        case "true": return true
        case "false": return false
        default: throw flaw("\(name) must be true or false")
        }
    }

    /// Reads a number of seconds: `90s`, `30m` or `2h`.
    func seconds(limit: Int) throws(PipelineFlaw) -> Int {
        let text = try text(limit: 20)
        let units = ["s": 1, "m": 60, "h": 3600]
        guard let unit = text.last.flatMap({ units[String($0)] }), let count = Int(text.dropLast()),
            count > 0, count <= limit / unit
        else {
            throw flaw("\(name) must be a time such as 90s, 30m or 2h, at most \(limit / 3600)h")
        }
        return count * unit
    }

    /// Reads one of a few words.
    func word<Word: RawRepresentable & CaseIterable>(
        _ type: Word.Type
    ) throws(PipelineFlaw) -> Word where Word.RawValue == String {
        let text = try text(limit: 100)
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw flaw("\(name) is \(quoted: text), but must be one of \(words)")
        }
        return word
    }

    /// Reads a path inside the checkout.
    func path() throws(PipelineFlaw) -> String {
        let text = try text(limit: 500)
        let parts = text.pathParts
        guard let first = text.utf8.first, !"/-~".utf8.contains(first),
            !parts.contains(".."),
            !parts.dropLast().contains(where: \.isEmpty),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\\" })
        else {
            throw flaw("\(name) is \(quoted: text), but must be a path inside the checkout")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
