import APIDocuments
import ArgumentParser
import Mirrors
import Versions

/// Which tags and branches of a repository are built, and when.
struct MirrorBuildOptions: ParsableArguments {
    @Option(
        help: """
            The app that builds may publish, by bundle identifier; * stands for any characters. \
            May be repeated; default: any app.
            """
    )
    var app: [ReferencePattern] = []

    @Option(help: "Tags to build; * stands for any characters. May be repeated; default: all.")
    var tag: [ReferencePattern] = []

    @Option(
        help: """
            Branches to build as dev, such as release/*. May be repeated; default: main and master.
            """
    )
    var branch: [ReferencePattern] = []

    @Option(
        help: """
            The prefix of this app's tags in a repository of several apps, such as browsey/.
            """
    )
    var prefix: String?

    @Option(
        help: """
            How often a running server syncs, such as 1m; 0s for only on demand. `mirror add` sets \
            5m, or 0s with --no-sync.
            """
    )
    var interval: Span?

    @Option(help: "The pipeline's path in the repository; default: .ota/pipeline.yml.")
    var pipelinePath: String?

    @Option(help: "A file with a pipeline to use instead of the repository's.")
    var pipeline: String?
}

/// How steps of a build run.
struct MirrorStepOptions: ParsableArguments {
    @Option(
        help: """
            Variables for the steps of trusted tags and branches: a file with NAME=value lines or \
            a JSON object, or - for standard input. Replaces the earlier ones.
            """
    )
    var secrets: String?

    @Option(
        help: """
            References whose builds get the secrets, such as tags/v* and heads/main; default: \
            those built automatically.
            """
    )
    var trusted: [ReferencePattern] = []

    @Option(help: "The user to run steps as; the server must run as root.")
    var user: String?

    @Option(
        help: """
            none, or bwrap, which lets a step see only system files, its own files and its own \
            processes.
            """
    )
    var isolation: IsolationChoice?

    @Flag(inversion: .prefixedNo, help: "Let steps use the network under bwrap.")
    var network: Bool?

    @Option(
        help: """
            A folder of this machine that steps can read under bwrap, such as /opt/swift. May be \
            repeated; `none` removes all.
            """
    )
    var readFolder: [String] = []

    @Flag(inversion: .prefixedNo, help: "Create symbolic links at checkout.")
    var symbolicLinks: Bool?
}

/// The limits of a build.
struct MirrorLimitOptions: ParsableArguments {
    @Option(help: "The time limit of a build, such as 1h.")
    var timeLimit: Span?

    @Option(help: "The largest file of a build, and of the repository, in megabytes.")
    var sizeLimit: Int?

    @Option(help: "The disk limit of a build, in megabytes.")
    var diskLimit: Int?

    @Option(help: "The memory limit of each process of a build, in megabytes.")
    var memoryLimit: Int?
}

extension ReferencePattern: TypedValue {}

extension IsolationChoice: ExpressibleByArgument {}
