import APIDocuments
import Administration
import ArgumentParser
import Mirrors
import Releases

struct MirrorSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change the settings or secrets of a mirror.",
        discussion: """
            Settings that you do not name stay as they are.
            Example:
              ota mirror set browsey --interval 10m --branch main --branch "release/*"
              ota mirror set browsey --paused
              cat browsey.env | ota mirror set browsey --secrets -
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Option(help: "A new address of the same repository.")
    var address: String?

    @Flag(inversion: .prefixedNo, help: "Pause the mirror: no syncs and no builds.")
    var paused: Bool?

    @OptionGroup(title: MirrorOptions.buildTitle) var build: MirrorBuildOptions
    @OptionGroup(title: MirrorOptions.accessTitle) var access: MirrorAccessOptions
    @OptionGroup(title: MirrorOptions.stepsTitle) var steps: MirrorStepOptions
    @OptionGroup(title: MirrorOptions.limitsTitle) var limits: MirrorLimitOptions
    @OptionGroup(title: MirrorOptions.accessTitle) var reach: MirrorReachOptions
    @OptionGroup(title: MirrorOptions.targetTitle) var target: TargetOptions
    @OptionGroup var output: OutputOptions

    private var options: MirrorOptions {
        MirrorOptions(build: build, access: access, steps: steps, limits: limits)
    }

    func validate() throws { try options.validate() }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        var settings = try options.change()
        settings.address = address
        settings.allowFile = try reach.allowsFiles(on: target.serverURL(in: context))
        settings.paused = paused
        let changed = try await target.open(in: context).perform(
            ChangeMirror(
                name,
                MirrorChangeRequest(settings, allowPrivate: reach.allowsPrivate),
            )
        )
        try context.show(MirrorResult(document: changed), json: output.json)
    }
}
