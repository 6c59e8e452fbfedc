import ArgumentParser
import Bytes
import GitMirror
import Releases
import Store

struct MirrorArtifact: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "artifact",
        abstract: "Write a file that a build made and that was kept.",
        discussion: """
            Example:
              ota mirror artifact browsey 12 build/Browsey.xcarchive --output Browsey.xcarchive.zip
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Argument(help: "The number of the build.")
    var build: Int

    @Argument(help: "The file's path, as `ota mirror show` has it.")
    var path: String

    @Option(help: "Where to write it.")
    var output: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var outputOptions: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let mirror = try store.mirror(named: name)
        guard let run = try store.run(build, of: mirror.name) else {
            throw MirrorRefusal.noRun(build)
        }
        guard let blob = run.artifacts.first(where: { $0.path == path })?.blob else {
            throw CommandFailure(
                id: "mirror.no-artifact",
                message: "build \(build) has kept no file \(path.printable)",
                mend: "see `ota mirror show \(mirror.name) \(build)`; an IPA is a release",
            )
        }
        let stored = try store.open(blob)
        try durableCopy(of: stored.source, to: output, mode: .everyoneReads)
        try context.show(WrittenFile(path: output, size: stored.size), json: outputOptions.json)
    }
}

private struct WrittenFile: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let path: String
        let size: Int
    }

    let path: String
    let size: Int

    var document: Document { Document(path: path, size: size) }

    func text(style: Style) -> String {
        "Wrote \(style.strong(path.printable)), \(Wording.size(size))."
    }
}
