import ArgumentParser
import Foundation
import GitMirror
import Releases
import Versions

/// How a repository is followed and built.
struct MirrorOptions: ParsableArguments {
    @Option(help: "Tags that are built, with * for any characters. May be repeated.")
    var tag: [ReferencePattern] = []

    @Option(help: "Branches that are built, as dev: main, release/*. May be repeated.")
    var branch: [ReferencePattern] = []

    @Option(help: "What the tags of this app begin with, in a repository of several: browsey/.")
    var prefix: String?

    @Option(help: "How often a running server looks, such as 5m; without it only when told.")
    var interval: Span?

    @Option(help: "Where the pipeline is in the repository.")
    var pipelinePath: String?

    @Option(help: "A pipeline of your own, in place of the repository's: a file.")
    var pipeline: String?

    @Option(help: "A user of this system to run steps as; the server must run as root.")
    var user: String?

    @Option(help: "none, or bwrap: steps see no file and no process but their own.")
    var isolation: Mirror.Isolation?

    @Flag(inversion: .prefixedNo, help: "Let steps reach the network, where bwrap is used.")
    var network: Bool?

    @Flag(inversion: .prefixedNo, help: "Make symbolic links at checkout.")
    var symbolicLinks: Bool?

    @Option(
        help:
            "What gets the secrets, such as tags/v* and heads/main; what is built by itself otherwise."
    )
    var trusted: [ReferencePattern] = []

    @Option(help: "The longest that a build may take, such as 1h.")
    var timeLimit: Span?

    @Option(help: "The largest file of a build, and of what is fetched, in megabytes.")
    var sizeLimit: Int?

    @Option(help: "The most memory that a process of a build may have, in megabytes.")
    var memoryLimit: Int?

    @OptionGroup var secrets: MirrorSecretOptions

    func validate() throws {
        if let prefix, (try? TagName(prefix + "v1")) == nil {
            throw ValidationError("--prefix is what tags begin with, such as browsey/")
        }
        if let interval, interval.seconds < 10 {
            throw ValidationError("--interval must be 10s or more")
        }
        if let pipelinePath, !Self.isInside(pipelinePath) {
            throw ValidationError("--pipeline-path is a path inside the repository")
        }
        guard (sizeLimit ?? 1) > 0, (sizeLimit ?? 1) <= 1 << 20, (memoryLimit ?? 64) >= 64,
            (memoryLimit ?? 64) <= 1 << 20
        else { throw ValidationError("--size-limit and --memory-limit are megabytes") }
    }

    /// Changes what was said.
    func apply(to mirror: inout Mirror) throws {
        if !tag.isEmpty { mirror.tags = tag }
        if !branch.isEmpty { mirror.branches = branch }
        if !tag.isEmpty || !branch.isEmpty {
            mirror.trusted = Mirror.trusted(tags: mirror.tags, branches: mirror.branches)
        }
        if !trusted.isEmpty { mirror.trusted = trusted }
        if let prefix { mirror.prefix = prefix }
        if let interval { mirror.interval = Int(interval.seconds) }
        if let pipelinePath { mirror.pipelinePath = pipelinePath }
        if let pipeline {
            mirror.pipeline = try TextInput.read(pipeline, limit: 64 << 10)
        }
        if let user { mirror.user = user }
        if let isolation { mirror.isolation = isolation }
        if let network { mirror.allowsNetwork = network }
        if let symbolicLinks { mirror.makesSymbolicLinks = symbolicLinks }
        if let timeLimit { mirror.limits.buildSeconds = Int(timeLimit.seconds) }
        if let sizeLimit { mirror.limits.fileBytes = sizeLimit << 20 }
        if let memoryLimit { mirror.limits.memory = memoryLimit << 20 }
    }

    private static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.hasPrefix("-") && !parts.contains("..") && !parts.contains("")
            && path.utf8.count <= 500
    }
}

extension ReferencePattern: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }
}

extension Mirror.Isolation: ExpressibleByArgument {}
