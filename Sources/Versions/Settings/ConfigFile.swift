/// The statements of a build configuration file, `.xcconfig`.
package struct ConfigFile: Hashable, Sendable {
    package enum Statement: Hashable, Sendable {
        case assignment(SettingAssignment)
        case include(path: String, isOptional: Bool, line: Int)
    }

    package let statements: [Statement]

    /// The assignments of a file and of everything that it includes, in order of precedence.
    ///
    /// Includes are resolved relative to the file first, then relative to the project.
    ///
    /// - Parameters:
    ///   - path: the file, relative to the repository.
    ///   - tree: the repository.
    ///   - projectFolder: the folder of the project.
    /// - Returns: the assignments; later ones take precedence.
    /// - Throws: ``SettingsFlaw`` with the faulty file.
    package static func assignments(
        of path: String,
        in tree: SourceTree,
        projectFolder: String = "",
    ) throws(SettingsFlaw) -> [SettingAssignment] {
        var work = SettingWork()
        return try assignments(of: path, in: tree, projectFolder: projectFolder, within: &work)
    }

    /// The assignments likewise, with their cost deducted from the work allowed for the project.
    static func assignments(
        of path: String,
        in tree: SourceTree,
        projectFolder: String = "",
        within work: inout SettingWork,
    ) throws(SettingsFlaw) -> [SettingAssignment] {
        guard let text = try tree.text(path) else { throw .missing(path) }
        var reading = ConfigReading(tree: tree, projectFolder: projectFolder, work: work)
        try reading.read(text, of: path, depth: 0)
        work = reading.work
        return reading.assignments
    }
}

/// Reads a file and its includes.
private struct ConfigReading {
    private static let depthLimit = 16
    private static let fileLimit = 200

    let tree: SourceTree
    let projectFolder: String
    var assignments: [SettingAssignment] = []
    private(set) var work: SettingWork
    private var files = 0

    init(tree: SourceTree, projectFolder: String, work: SettingWork) {
        self.tree = tree
        self.projectFolder = projectFolder
        self.work = work
    }

    mutating func read(_ text: String, of path: String, depth: Int) throws(SettingsFlaw) {
        guard depth < Self.depthLimit else { throw .includesItself(path) }
        files += 1
        guard files <= Self.fileLimit else { throw .tooManyFiles(Self.fileLimit) }
        try work.spend(SettingWork.byte * text.utf8.count, at: path)
        for statement in try ConfigFile(text, path: path).statements {
            switch statement {
            case .assignment(let assignment): assignments.append(assignment)
            case .include(let name, let isOptional, let line):
                let place = "\(path):\(line)"
                guard let (included, text) = try included(name, by: path, at: place) else {
                    guard isOptional else { throw .missing("\(name), included by \(place)") }
                    continue
                }
                try read(text, of: included, depth: depth + 1)
            }
        }
    }

    private func included(
        _ name: String,
        by path: String,
        at place: String,
    ) throws(SettingsFlaw) -> (path: String, text: String)? {
        for folder in [SourceTree.folder(of: path), projectFolder] {
            let file = try SourceTree.resolve(name, in: folder, from: place)
            if let text = try tree.text(file) { return (file, text) }
        }
        return nil
    }
}
