import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Mirrors
import Versions

/// How a repository is followed and built.
struct MirrorOptions: ParsableArguments {
    @Option(help: "Tags to build; * stands for any characters. May be repeated.")
    var tag: [ReferencePattern] = []

    @Option(help: "Branches to build as dev, such as main or release/*. May be repeated.")
    var branch: [ReferencePattern] = []

    @Option(
        help: """
            The prefix of this app's tags in a repository of several apps, such as browsey/.
            """
    )
    var prefix: String?

    @Option(help: "How often a running server syncs, such as 5m; 0s for only on demand.")
    var interval: Span?

    @Option(help: "The path of the pipeline in the repository.")
    var pipelinePath: String?

    @Option(help: "A file with a pipeline to use instead of the repository's.")
    var pipeline: String?

    @Option(help: "The user to run steps as; the server must run as root.")
    var user: String?

    @Option(
        help: """
            none, or bwrap: a step sees only system files, its own files and its own processes.
            """
    )
    var isolation: IsolationChoice?

    @Flag(inversion: .prefixedNo, help: "Let steps use the network under bwrap.")
    var network: Bool?

    @Option(
        help: """
            A folder of this machine that steps can read under bwrap, such as /opt/swift. May be \
            repeated; none removes all.
            """
    )
    var readFolder: [String] = []

    @Flag(inversion: .prefixedNo, help: "Create symbolic links at checkout.")
    var symbolicLinks: Bool?

    @Option(help: "Submodules to check out: none, same-host (on the same server), or any.")
    var submodules: SubmoduleChoice?

    @Option(
        help: """
            References whose builds get the secrets, such as tags/v* and heads/main; default: \
            those built automatically.
            """
    )
    var trusted: [ReferencePattern] = []

    @Option(
        help: """
            The app that builds may publish, by bundle identifier; * stands for any characters. \
            May be repeated; default: any app.
            """
    )
    var app: [ReferencePattern] = []

    @Option(help: "The time limit of a build, such as 1h.")
    var timeLimit: Span?

    @Option(help: "The largest file of a build, and of the repository, in megabytes.")
    var sizeLimit: Int?

    @Option(help: "The disk limit of a build, in megabytes.")
    var diskLimit: Int?

    @Option(help: "The memory limit of each process of a build, in megabytes.")
    var memoryLimit: Int?

    @OptionGroup var secrets: MirrorSecretOptions

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

    /// What was said, files and standard input included.
    func change() throws -> MirrorChange {
        var change = said
        change.pipeline = try pipeline.map { try TextInput.read($0, limit: 64 << 10) }
        let secrets = try secrets.change()
        change.secrets = secrets.isEmpty ? nil : secrets
        return change
    }

    private var said: MirrorChange {
        var change = MirrorChange()
        change.tags = tag.isEmpty ? nil : tag
        change.branches = branch.isEmpty ? nil : branch
        change.trusted = trusted.isEmpty ? nil : trusted
        change.apps = app.isEmpty ? nil : app
        change.prefix = prefix
        change.interval = interval.map { Int($0.seconds) }
        change.pipelinePath = pipelinePath
        change.user = user
        change.isolation = isolation
        change.network = network
        change.symbolicLinks = symbolicLinks
        change.timeLimit = timeLimit.map { Int($0.seconds) }
        change.sizeLimit = sizeLimit
        change.memoryLimit = memoryLimit
        change.diskLimit = diskLimit
        change.submodules = submodules
        change.readFolders = readFolder.isEmpty ? nil : readFolder.filter { $0 != "none" }
        return change
    }
}

extension ReferencePattern: TypedValue {}

extension IsolationChoice: ExpressibleByArgument {}

extension SubmoduleChoice: ExpressibleByArgument {}
