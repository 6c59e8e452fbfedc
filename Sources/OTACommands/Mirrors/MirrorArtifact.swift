import APIDocuments
import Administration
import ArgumentParser
import Releases

struct MirrorArtifact: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "artifact",
        abstract: "Download an artifact of a build.",
        discussion: """
            Example:
              ota mirror artifact browsey 12 build/App.xcarchive --output App.xcarchive.zip
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Argument(help: "The number of the build.")
    var build: Int

    @Argument(help: "The file's path, as `ota mirror show` lists it.")
    var path: String

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var outputOptions: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        try OutputFile.checkFolder(of: output)
        let size = try await target.open(in: context).saveArtifact(
            path,
            of: build,
            name,
            to: output,
        )
        try context.show(WrittenFile(path: output, size: size), json: outputOptions.json)
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
