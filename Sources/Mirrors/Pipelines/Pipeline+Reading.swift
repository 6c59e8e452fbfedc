import Bytes
import Identifiers
import Releases
import Versions
import Yams

/// Reads a pipeline's YAML.
///
/// An unknown key is an error: a misspelt `timeuot` must not mean that there is no limit.
extension Pipeline {
    /// Bytes of UTF-8.
    package static let sizeLimit = 64 << 10
    private static let stepLimit = 100
    private static let artifactLimit = 100
    private static let timeLimit = 24 * 3600

    /// - Throws: ``PipelineFlaw`` with line and column.
    package init(yaml: String) throws(PipelineFlaw) {
        let root = PipelineNode(node: try Self.compose(yaml), name: "")
        let keys: Set = [
            "name", "requires", "env", "timeout", "runs-on", "steps", "artifacts", "publish",
        ]
        let entries = try root.mapping(keys)
        name = try entries["name"].map { node throws(PipelineFlaw) in
            PrintableText(line: try node.text(limit: 200)).text
        }
        for entry in try entries["requires"]?.oneOrMore(limit: 20) ?? [] {
            requires.append(try entry.path())
        }
        environment = try entries["env"].map(Self.environment) ?? [:]
        timeout = try entries["timeout"]?.seconds(limit: Self.timeLimit)
        guard let list = entries["steps"] else { throw root.flaw("it has no steps") }
        let place = try entries["runs-on"].map { node throws(PipelineFlaw) in try Place(node) }
        for entry in try list.list(limit: Self.stepLimit) {
            steps.append(try Step(entry, runningOn: place ?? .server))
        }
        guard !steps.isEmpty else { throw list.flaw("it has no steps") }
        for entry in try entries["artifacts"]?.list(limit: Self.artifactLimit) ?? [] {
            artifacts.append(try ArtifactRule(entry))
        }
        if let rules = entries["publish"] { publish = try PublishRules(rules) }
    }

    private static func compose(_ yaml: String) throws(PipelineFlaw) -> Node {
        guard yaml.utf8.count <= sizeLimit else {
            throw PipelineFlaw(line: 0, column: 0, reason: "it has more than 64 KiB")
        }
        do throws(YAMLFlaw) {
            if let node = try BoundedYAML.node(yaml) { return node }
        } catch {
            throw PipelineFlaw(line: error.line ?? 0, column: 0, reason: error.reason)
        }
        throw PipelineFlaw(line: 0, column: 0, reason: "it is empty")
    }

    /// Reads variables by name; the names that the server sets are refused.
    static func environment(_ node: PipelineNode) throws(PipelineFlaw) -> [String: String] {
        guard case .mapping(let mapping) = node.node else {
            throw node.flaw("\(node.name) must be a mapping of names to values")
        }
        guard mapping.count <= 100 else {
            throw node.flaw("\(node.name) has more than 100 entries")
        }
        var variables: [String: String] = [:]
        for (key, value) in mapping {
            let place = PipelineNode(node: key, name: node.name)
            let name = try place.text(limit: 100)
            guard VariableName.isValid(name) else {
                throw place.flaw(
                    "\(node.name) has an invalid variable name: use letters, digits and _"
                )
            }
            guard !VariableName.isReserved(name) else {
                throw place.flaw("the variable \(name) is set by ota")
            }
            let entry = PipelineNode(node: value, name: "\(node.name).\(name)")
            if case .scalar(let scalar) = value, scalar.string.isEmpty {
                variables[name] = ""
            } else {
                variables[name] = try entry.text(limit: 16 << 10)
            }
        }
        return variables
    }

    static func conditions(_ node: PipelineNode?) throws(PipelineFlaw) -> [Condition] {
        guard let node else { return [.always] }
        var conditions: [Condition] = []
        for entry in try node.oneOrMore(limit: 3) {
            conditions.append(try entry.word(Condition.self))
        }
        guard !conditions.isEmpty else { throw node.flaw("\(node.name) is empty") }
        return conditions
    }
}

extension Pipeline.Step {
    /// `place` is where a step without `runs-on` runs.
    init(_ node: PipelineNode, runningOn place: Pipeline.Place) throws(PipelineFlaw) {
        let keys: Set = ["name", "run", "runs-on", "if", "working-directory", "timeout", "env"]
        let entries = try node.mapping(keys)
        guard let run = entries["run"] else { throw node.flaw("\(node.name) has no run") }
        self.run = try run.text(limit: 32 << 10)
        let firstLine = self.run.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        // The name appears in logs, where a line break would let it forge one of the server's own lines.
        name =
            PrintableText(
                line: try entries["name"]?.text(limit: 200) ?? String(firstLine.prefix(60))
            ).text
        self.place =
            try entries["runs-on"].map { node throws(PipelineFlaw) in try Pipeline.Place(node) }
            ?? place
        conditions = try Pipeline.conditions(entries["if"])
        workingDirectory = try entries["working-directory"]?.path()
        timeout = try entries["timeout"]?.seconds(limit: 24 * 3600)
        environment = try entries["env"].map(Pipeline.environment) ?? [:]
    }
}

extension Pipeline.Place {
    /// `server`, or the labels that a runner must have.
    init(_ node: PipelineNode) throws(PipelineFlaw) {
        var labels: [RunnerLabel] = []
        let entries = try node.oneOrMore(limit: RunnerLabel.countLimit)
        guard !entries.isEmpty else { throw node.flaw("\(node.name) is empty") }
        for entry in entries {
            let text = try entry.text(limit: 100)
            if text == RunnerLabel.server, entries.count == 1 {
                self = .server
                return
            }
            guard text != RunnerLabel.server else {
                throw entry.flaw(
                    "\(node.name) must be \(RunnerLabel.server), for the server itself, or labels of a runner"
                )
            }
            guard let label = RunnerLabel(text) else {
                throw entry.flaw(
                    "\(entry.name) is \(quoted: text), but must be \(RunnerLabel.server) or "
                        + RunnerLabel.kindOfText
                )
            }
            if !labels.contains(label) { labels.append(label) }
        }
        self = .runner(labels)
    }
}

extension Pipeline.ArtifactRule {
    init(_ node: PipelineNode) throws(PipelineFlaw) {
        if case .scalar = node.node {
            self.init(path: try node.path())
            return
        }
        let entries = try node.mapping(["path", "ifMissing", "if", "entitlements"])
        guard let path = entries["path"] else { throw node.flaw("\(node.name) has no path") }
        self.init(path: try path.path())
        if let missing = entries["ifMissing"] { ifMissing = try missing.word(IfMissing.self) }
        conditions = try Pipeline.conditions(entries["if"])
        if let files = entries["entitlements"] { try read(entitlements: files) }
    }

    /// Reads one file, for the app itself, or files by bundle identifier.
    private mutating func read(entitlements node: PipelineNode) throws(PipelineFlaw) {
        guard case .mapping(let mapping) = node.node else {
            entitlements = try node.path()
            return
        }
        guard mapping.count <= Self.nestedLimit else {
            throw node.flaw("\(node.name) has more than \(Self.nestedLimit) entries")
        }
        for (key, value) in mapping {
            let place = PipelineNode(node: key, name: node.name)
            guard let identifier = BundleIdentifier(try place.text(limit: 255)) else {
                throw place.flaw("\(node.name) needs bundle identifiers, such as com.example.app")
            }
            let entry = PipelineNode(node: value, name: "\(node.name).\(identifier)")
            nestedEntitlements[identifier.rawValue] = try entry.path()
        }
    }

    private static let nestedLimit = 40
}

extension Pipeline.PublishRules {
    init(_ node: PipelineNode) throws(PipelineFlaw) {
        if case .scalar = node.node {
            guard try !node.flag() else { return }
            (tag, branch, manual) = (.nowhere, .nowhere, .nowhere)
            return
        }
        let entries = try node.mapping(["tag", "branch", "manual", "otherVersion"])
        if let entry = entries["tag"] { tag = try Target(entry) }
        if let entry = entries["branch"] { branch = try Target(entry) }
        if let entry = entries["manual"] { manual = try Target(entry) }
        if let entry = entries["otherVersion"] {
            allowsOtherVersion = try entry.word(OtherVersion.self) == .allow
        }
    }

    private enum OtherVersion: String, CaseIterable {
        case refuse, allow
    }
}

extension Pipeline.PublishRules.Target {
    init(_ node: PipelineNode) throws(PipelineFlaw) {
        let text = try node.text(limit: 63)
        switch text {
        case "auto": self = .version
        case "none": self = .nowhere
        default:
            guard let channel = ChannelName(text) else {
                throw node.flaw("\(node.name) must be auto, none or the name of a channel")
            }
            self = .channel(channel)
        }
    }
}
