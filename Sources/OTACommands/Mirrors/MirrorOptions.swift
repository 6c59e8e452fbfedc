import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Mirrors

/// How a repository is mirrored and built.
///
/// The commands contain the four groups themselves, because in debug builds the parser checks each group
/// several times for every check of a group around it.
struct MirrorOptions {
    let build: MirrorBuildOptions
    let access: MirrorAccessOptions
    let steps: MirrorStepOptions
    let limits: MirrorLimitOptions

    /// The title of the options about what is built, and when.
    static let buildTitle = "What to build"
    /// The title of the options about access to the repository.
    static let accessTitle = "Access to the repository"
    /// The title of the options about what steps may do.
    static let stepsTitle = "How steps run"
    /// The title of the options about a build's limits.
    static let limitsTitle = "Limits"
    /// The title of the options for the server or store that a command acts on.
    static let targetTitle = "Server or store"

    /// Checks the options.
    ///
    /// - Throws: `ValidationError`, which names the option.
    func validate() throws {
        do {
            try said.check()
        } catch MirrorRefusal.badSetting(let name, let words) {
            throw ValidationError("\(Self.option(name)) must be \(words)")
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The option for a key of a mirror's settings: `--read-folder` for `readFolders`.
    private static func option(_ key: String) -> String {
        let single = [
            "tags": "tag", "branches": "branch", "apps": "app", "readFolders": "readFolder",
        ]
        return (single[key] ?? key).reduce(into: "--") { option, letter in
            option += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    /// The change, including what files and standard input contain.
    func change() throws -> MirrorChange {
        var change = said
        change.pipeline = try build.pipeline.map { try TextInput.read($0, limit: 64 << 10) }
        var secrets = try access.change()
        secrets.variables = try steps.secrets.map(MirrorVariables.read)
        change.secrets = secrets.isEmpty ? nil : secrets
        return change
    }

    private var said: MirrorChange {
        var change = MirrorChange()
        change.tags = build.tag.isEmpty ? nil : build.tag
        change.branches = build.branch.isEmpty ? nil : build.branch
        change.apps = build.app.isEmpty ? nil : build.app
        change.prefix = build.prefix
        change.interval = build.interval.map { Int($0.seconds) }
        change.pipelinePath = build.pipelinePath
        change.trusted = steps.trusted.isEmpty ? nil : steps.trusted
        change.user = steps.user
        change.isolation = steps.isolation
        change.network = steps.network
        change.symbolicLinks = steps.symbolicLinks
        change.readFolders =
            steps.readFolder.isEmpty ? nil : steps.readFolder.filter { $0 != "none" }
        change.timeLimit = limits.timeLimit.map { Int($0.seconds) }
        change.sizeLimit = limits.sizeLimit
        change.memoryLimit = limits.memoryLimit
        change.diskLimit = limits.diskLimit
        change.submodules = access.submodules
        return change
    }
}
