import APIDocuments
import ArgumentParser
import Mirrors
import Versions

/// The tags and branches that are built, and when.
struct MirrorBuildOptions: ParsableArguments {
    @Option(
        help: """
            Only publish this app, by bundle identifier; * stands for any characters. May be \
            repeated; default: any app.
            """
    )
    var app: [ReferencePattern] = []

    @Option(help: "Version tags to build, such as v2.*. May be repeated; default: all.")
    var tag: [ReferencePattern] = []

    @Option(
        help: """
            Branches to build, such as release/*. May be repeated; default: main and \
            master.
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
            How often a running server syncs, such as 1m; 0s means only on demand. Default for a new \
            mirror: 5m.
            """
    )
    var interval: Span?

    @Option(help: "The path of the pipeline in the repository; default: .ota/pipeline.yml.")
    var pipelinePath: String?

    @Option(help: "Your own pipeline file, instead of the repository's.")
    var pipeline: String?
}

/// How the steps of a build run.
struct MirrorStepOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A file with secret variables for steps, as NAME=value lines or a JSON object, or - \
            for standard input. Replaces the earlier ones.
            """,
            valueName: "file",
        )
    )
    var secrets: String?

    @Option(
        help: """
            The trusted references, such as tags/v* or heads/main: only their builds get the secrets, \
            and may run on runners that take only trusted references. May be repeated; default: the tags and \
            branches that are built automatically.
            """
    )
    var trusted: [ReferencePattern] = []

    @Option(help: "The user that runs steps, if the server runs as root.")
    var user: String?

    @Option(
        help: """
            bwrap lets a step see only system files, its own files and its own processes; \
            default: none.
            """
    )
    var isolation: IsolationChoice?

    @Flag(inversion: .prefixedNo, help: "Let steps use the network under bwrap; default: yes.")
    var network: Bool?

    @Option(
        help: ArgumentHelp(
            """
            A folder of the server that steps can read under bwrap, such as /opt/swift; `none` \
            removes all. May be repeated.
            """,
            valueName: "folder",
        )
    )
    var readFolder: [String] = []

    @Flag(inversion: .prefixedNo, help: "Create symbolic links at checkout; default: no.")
    var symbolicLinks: Bool?
}

/// The limits of a build.
struct MirrorLimitOptions: ParsableArguments {
    @Option(help: "The time limit of a build; default: 1h.")
    var timeLimit: Span?

    @Option(
        help: ArgumentHelp(
            "The largest file of a build or the repository, in megabytes; default: 4096.",
            valueName: "megabytes",
        )
    )
    var sizeLimit: Int?

    @Option(
        help: ArgumentHelp(
            "The disk limit of a build, in megabytes; default: 20480.",
            valueName: "megabytes",
        )
    )
    var diskLimit: Int?

    @Option(
        help: ArgumentHelp(
            "The memory limit of each process of a build, in megabytes; default: none.",
            valueName: "megabytes",
        )
    )
    var memoryLimit: Int?
}

extension ReferencePattern: TypedValue {}

extension IsolationChoice: ExpressibleByArgument {}
