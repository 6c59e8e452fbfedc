import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import OTAClient
import Problems
import Releases
import Symbols

struct SymbolsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "symbols",
        abstract: "Store the dSYMs of releases, to symbolicate their crash reports.",
        discussion: """
            A dSYM belongs to a release if it has the UUID of one of its binaries. It is deleted \
            with the release. `ota symbolicate` finds it automatically.
            Example:
              ota symbols add browsey 1.2.0 App.xcarchive
              ota symbols list browsey 1.2.0
            """,
        subcommands: [
            SymbolsAdd.self, SymbolsList.self, SymbolsGet.self, SymbolsRemove.self,
        ],
    )
}

struct SymbolsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add dSYMs to a release.",
        discussion: """
            Takes a .dSYM, a folder or ZIP archive of dSYMs, or the .xcarchive of the build. dSYMs \
            that match no binary of the release are listed and skipped.
            Example:
              ota symbols add browsey 1.2.0 App.xcarchive
              ota symbols add browsey 1.2.0 dSYMs.zip --server https://ota.example.com
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Argument(help: "The dSYMs: a .dSYM, a folder or ZIP archive of dSYMs, or the .xcarchive.")
    var paths: [String]

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let target = try target.open(in: context)
        let bundles = try SymbolInput.bundles(at: paths)
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let document: SymbolsDocument
        switch target {
        case .store(let store):
            document = try store.addSymbols(bundles, to: named.release, of: named.app)
        case .server(let server):
            document = try await SymbolSending(
                server: server,
                release: named.release,
                app: named.app,
                bar: bar,
            ).send(bundles)
        }
        bar.finish()
        try context.show(SymbolsText(document: document), json: output.json)
    }
}

struct SymbolsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the dSYMs of a release, and the UUIDs of its binaries.",
        discussion: """
            Example:
              ota symbols list browsey 1.2.0
            """,
    )

    @OptionGroup var named: ReleaseArguments
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(ListSymbols(of: named.release, of: named.app))
        try context.show(SymbolsText(document: document), json: output.json)
    }
}

struct SymbolsGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Download a dSYM of a release as a ZIP archive.",
        discussion: """
            Example:
              ota symbols get browsey 1.2.0 0e32eb0dc5114b5ea5bd7c4c0a6c7f3b --output a.zip
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Argument(help: "The dSYM's UUID, as `ota symbols list` shows it.")
    var uuid: ImageUUID

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var outputOptions: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        try OutputFile.checkFolder(of: output)
        let size: Int
        switch try target.open(in: context) {
        case .store(let store):
            let file = try store.symbolFile(uuid, of: named.release, of: named.app)
            size = try store.saveSymbols(file, to: output)
        case .server(let server):
            size = try await server.saveSymbols(uuid, of: named.release, named.app, to: output)
        }
        try context.show(SavedSymbols(path: output, size: size), json: outputOptions.json)
    }
}

struct SymbolsRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a dSYM from a release.",
        discussion: """
            Example:
              ota symbols remove browsey 1.2.0 0E32EB0D-C511-4B5E-A5BD-7C4C0A6C7F3B
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Argument(help: "The dSYM's UUID, as `ota symbols list` shows it.")
    var uuid: ImageUUID

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(RemoveSymbols(uuid, of: named.release, of: named.app))
        try context.show(SymbolsText(document: document), json: output.json)
    }
}

extension ImageUUID: ExpressibleByArgument {
    init?(argument: String) {
        self.init(argument)
    }
}

private struct SavedSymbols: CommandResult {
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
