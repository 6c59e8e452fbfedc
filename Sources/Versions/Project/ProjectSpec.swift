import Bytes

/// An XcodeGen project file with everything that it includes.
struct ProjectSpec: Sendable {
    /// The file's folder, relative to the repository.
    let folder: String
    /// The file's path, relative to the repository.
    let path: String
    let root: SpecValue
    /// Sorted.
    let configurations: [String]
    /// By their lower-case names.
    private let configurationsByName: [String: String]
    private let versionLines: [String: [Int]]

    /// - Throws: ``SettingsFlaw`` with the faulty file.
    init(_ path: String, in tree: SourceTree) throws(SettingsFlaw) {
        var loading = SpecLoading(tree: tree, top: SourceTree.folder(of: path))
        self.path = path
        versionLines = Self.versionLines(in: try tree.text(path) ?? "")
        folder = loading.top
        root = try loading.load(path, relativeTo: loading.top, depth: 0)
        guard case .map = root else {
            throw .notAProject(path, reason: "the file is not an XcodeGen project")
        }
        let named = root["configs"].entries.keys.sorted()
        guard named.allSatisfy({ $0.utf8.count <= 200 }) else {
            throw .notAProject(path, reason: "a configuration's name has more than 200 bytes")
        }
        configurations = named.isEmpty ? ["Debug", "Release"] : named
        configurationsByName = Dictionary(configurations.map { ($0.lowercased(), $0) }) { $1 }
    }

    var targetNames: [String] { root["targets"].entries.keys.sorted() }

    /// The lines of the file itself, without its includes, that set one of these settings; from 1.
    func lines(of names: [String]) -> [Int] {
        names.flatMap { versionLines[$0] ?? [] }.sorted()
    }

    /// Computed once for all targets.
    private static func versionLines(in text: String) -> [String: [Int]] {
        var result: [String: [Int]] = [:]
        for (number, line) in text.textLines.enumerated() {
            let line = line.drop { $0 == " " || $0 == "{" || $0 == "\"" || $0 == "'" }
            let name = line.prefix { $0.isLetter || $0 == "_" }
            guard name.hasSuffix("_VERSION") else { continue }
            result[String(name), default: []].append(number + 1)
        }
        return result
    }

    /// Whether a variant is the configuration's name, or a part of it that is not the name of another
    /// configuration.
    func isMeant(_ configuration: String, by variant: String) -> Bool {
        guard variant.utf8.count <= configuration.utf8.count else { return false }
        let name = variant.lowercased()
        guard configuration.lowercased().contains(name) else { return false }
        let exact = configurationsByName[name]
        return exact == nil || exact == configuration
    }
}

/// Loads a project file and its includes.
private struct SpecLoading {
    private static let depthLimit = 16
    private static let fileLimit = 100

    let tree: SourceTree
    /// The folder of the project, relative to the repository.
    let top: String
    private var files = 0

    init(tree: SourceTree, top: String) {
        self.tree = tree
        self.top = top
    }

    /// - Parameters:
    ///   - path: the file, relative to the repository.
    ///   - folder: the folder to which its paths are relative.
    ///   - depth: the number of includes that lead to it.
    /// - Returns: its contents merged over those of its includes, with paths relative to the repository.
    /// - Throws: ``SettingsFlaw`` with the faulty file.
    mutating func load(
        _ path: String,
        relativeTo folder: String,
        depth: Int,
    ) throws(SettingsFlaw) -> SpecValue {
        guard depth < Self.depthLimit else { throw .includesItself(path) }
        files += 1
        guard files <= Self.fileLimit else { throw .tooManyFiles(Self.fileLimit) }
        guard let text = try tree.text(path) else { throw .missing(path) }
        let value = try SpecValue(yaml: text, path: path)
        var included = SpecValue.map([:])
        for include in value["include"].items {
            guard let name = include.text ?? include["path"].text else {
                throw .notAProject(path, reason: "an include has no path")
            }
            guard include["enable"].text != "NO" else { continue }
            let file = try SourceTree.resolve(name, in: folder, from: path)
            let isRelative = include["relativePaths"].text != "NO"
            let place = isRelative ? SourceTree.folder(of: file) : folder
            included = included.merged(
                with: try load(file, relativeTo: place, depth: depth + 1)
            )
        }
        return included.merged(with: try resolvingPaths(of: value, in: folder, from: path))
    }

    /// Makes the paths of settings files relative to the repository, for the project, targets and
    /// templates.
    private func resolvingPaths(
        of value: SpecValue,
        in folder: String,
        from path: String,
    ) throws(SettingsFlaw) -> SpecValue {
        guard case .map(var entries) = value else { return value }
        entries["include"] = nil
        entries["configFiles"] = try files(entries["configFiles"], in: folder, from: path)
        for key in ["targets", "targetTemplates"] {
            guard case .map(var targets)? = entries[key] else { continue }
            for (name, target) in targets {
                guard case .map(var fields) = target else { continue }
                fields["configFiles"] = try files(fields["configFiles"], in: folder, from: path)
                targets[name] = .map(fields)
            }
            entries[key] = .map(targets)
        }
        return .map(entries)
    }

    private func files(
        _ value: SpecValue?,
        in folder: String,
        from path: String,
    ) throws(SettingsFlaw) -> SpecValue? {
        guard case .map(let entries)? = value else { return value }
        var resolved: [String: SpecValue] = [:]
        for (configuration, file) in entries {
            guard let name = file.text else { continue }
            resolved[configuration] = .text(
                try SourceTree.resolve(name, in: folder, from: path)
            )
        }
        return .map(resolved)
    }
}
