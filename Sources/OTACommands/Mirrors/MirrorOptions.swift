import ArgumentParser
import Foundation
import GitMirror

/// How a repository is followed and built.
struct MirrorOptions: ParsableArguments {
    @Option(help: "Tags that are built, with * for any characters. May be repeated.")
    var tag: [ReferencePattern] = []

    @Option(help: "Branches that are built, as dev: main, release/*. May be repeated.")
    var branch: [ReferencePattern] = []

    @Option(help: "What the tags of this app begin with, in a repository of several: browsey/.")
    var prefix: String?

    @Option(help: "How often a running server looks, such as 5m; 0s for only when told.")
    var interval: Span?

    @Option(help: "Where the pipeline is in the repository.")
    var pipelinePath: String?

    @Option(help: "A pipeline of your own, in place of the repository's: a file.")
    var pipeline: String?

    @Option(help: "A user of this system to run steps as; the server must run as root.")
    var user: String?

    @Option(help: "none, or bwrap: no file but the system's and a step's own, no other process.")
    var isolation: Mirror.Isolation?

    @Flag(inversion: .prefixedNo, help: "Let steps reach the network, where bwrap is used.")
    var network: Bool?

    @Option(
        help: """
            A folder of this machine that steps may read where bwrap is used, such as /opt/swift. May be \
            repeated; none takes all of them away.
            """
    )
    var readFolder: [String] = []

    @Flag(inversion: .prefixedNo, help: "Make symbolic links at checkout.")
    var symbolicLinks: Bool?

    @Option(help: "Submodules to check out: none, same-host (of the same server), or any.")
    var submodules: SubmoduleChoice?

    @Option(
        help:
            "What gets the secrets, such as tags/v* and heads/main; what is built by itself otherwise."
    )
    var trusted: [ReferencePattern] = []

    @Option(
        help: """
            The app that builds may publish, by bundle identifier, with * for any characters. May be \
            repeated; any app otherwise.
            """
    )
    var app: [ReferencePattern] = []

    @Option(help: "The longest that a build may take, such as 1h.")
    var timeLimit: Span?

    @Option(help: "The largest file of a build, and of what is fetched, in megabytes.")
    var sizeLimit: Int?

    @Option(help: "The most that a build may have on the disk, in megabytes.")
    var diskLimit: Int?

    @Option(help: "The most memory that a process of a build may have, in megabytes.")
    var memoryLimit: Int?

    @OptionGroup var secrets: MirrorSecretOptions

    func validate() throws {
        do {
            try said.check()
        } catch {
            throw ValidationError("\(error)")
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

extension Mirror.Isolation: ExpressibleByArgument {}

extension SubmoduleChoice: ExpressibleByArgument {}
