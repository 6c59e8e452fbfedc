import Bytes
package import Problems

/// Why build settings cannot be read from a project's files.
package enum SettingsFlaw: ReportableError, Hashable, Sendable {
    case missing(String)
    case unreadable(String, reason: String)
    /// A path leads outside the repository: with `..`, as an absolute path or through a link.
    case outside(String, from: String)
    case tooLarge(String, limit: Int)
    case tooManyFiles(Int)
    /// A file includes itself, or includes are nested too deeply.
    case includesItself(String)
    case syntax(String, line: Int, reason: String)
    case notYAML(String, reason: String)
    /// A project file that is invalid for XcodeGen.
    case notAProject(String, reason: String)
    /// A setting refers to itself.
    case circular(String)
    /// A setting's value is too long when expanded.
    case tooLong(String)
    /// Templates, groups or references need too much work.
    case tooMuch(String)
    case unknownOperator(String, setting: String)
    case unknownTarget(String, known: [String])
    case unknownConfiguration(String, known: [String])
}

extension SettingsFlaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "the file does not exist"
        case .unreadable(_, let reason): "the file cannot be read: \(reason)"
        case .outside(let path, _): "\(quoted: path) leads out of the repository"
        case .tooLarge(_, let limit): "the file is larger than \(limit.grouped) bytes"
        case .tooManyFiles(let limit): "the project includes more than \(limit.grouped) files"
        case .includesItself: "the file includes itself, or its includes are nested too deeply"
        case .syntax(_, _, let reason): reason
        case .notYAML(_, let reason): "the file is not YAML: \(reason)"
        case .notAProject(_, let reason): reason
        case .circular(let name): "the setting \(name) refers to itself"
        case .tooLong(let name): "the value of the setting \(name) is too long when expanded"
        case .tooMuch:
            "the project's templates, groups and references need too many expansions"
        case .unknownOperator(let name, let setting):
            "the operator \(quoted: name) in the setting \(setting) is not supported"
        case .unknownTarget(let name, let known):
            known.isEmpty
                ? "the project has no targets"
                : "the project has no target \(quoted: name); it has \(quoted: known)"
        case .unknownConfiguration(let name, let known):
            "the project has no configuration \(quoted: name); it has \(quoted: known)"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .missing, .unknownTarget, .unknownConfiguration: .notFound
        case .unreadable: .unavailable
        case .tooLarge, .tooManyFiles, .tooLong, .tooMuch: .tooLarge
        case .outside, .includesItself, .syntax, .notYAML, .notAProject, .circular,
            .unknownOperator:
            .invalid
        }
    }

    /// Stable across releases of `ota`.
    package var id: String {
        switch self {
        case .missing: "project.missing"
        case .unreadable: "project.unreadable"
        case .outside: "project.outside"
        case .tooLarge, .tooManyFiles, .tooLong, .tooMuch: "project.too-large"
        case .includesItself, .circular: "project.circular"
        case .syntax: "project.syntax"
        case .notYAML: "project.not-yaml"
        case .notAProject: "project.not-a-project"
        case .unknownOperator: "project.unknown-operator"
        case .unknownTarget: "project.unknown-target"
        case .unknownConfiguration: "project.unknown-configuration"
        }
    }

    /// The file, with its line if known.
    package var place: String {
        switch self {
        case .missing(let file), .unreadable(let file, _), .outside(_, let file),
            .tooLarge(let file, _), .includesItself(let file), .tooMuch(let file),
            .notYAML(let file, _), .notAProject(let file, _):
            file
        case .syntax(let file, let line, _): "\(file):\(line)"
        case .circular(let name), .tooLong(let name), .unknownOperator(_, let name): name
        case .tooManyFiles, .unknownTarget, .unknownConfiguration: ""
        }
    }

    package var fix: String {
        switch self {
        case .missing: "check the path, and generate the file first if needed"
        case .unreadable: "check its permissions, and that it is UTF-8"
        case .outside: "keep the file in the repository, and refer to it by a relative path"
        case .tooLarge, .tooManyFiles, .tooLong: "use fewer or shorter settings files"
        case .tooMuch: "use fewer nested templates and references"
        case .includesItself: "remove the #include or include: that leads back to it"
        case .circular: "give one of the settings a literal value"
        case .syntax: "correct the line; Xcode would report it too"
        case .notYAML, .notAProject: "check whether `xcodegen dump` can read it"
        case .unknownOperator: "write the value without the operator"
        case .unknownTarget: "give one of the project's targets with --target"
        case .unknownConfiguration: "give one of the project's configurations with --configuration"
        }
    }
}
