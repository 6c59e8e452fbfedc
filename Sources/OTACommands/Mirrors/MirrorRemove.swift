import ArgumentParser
import GitMirror
import Releases
import Store

struct MirrorRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Follow a repository no more; releases that it made stay.",
        discussion: """
            Removes the copy of the repository, the records of builds, and the secrets.
            Example:
              ota mirror remove browsey
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let place = try storeOptions.mirrors(of: store, in: context)
        let mirror = try store.mirror(named: name)
        try MirrorActions(in: place, by: context.actor).remove(mirror)
        try context.show(RemovedMirror(mirror: mirror), json: output.json)
    }
}

private struct RemovedMirror: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let removed: String
    }

    let mirror: Mirror

    var document: Document { Document(removed: mirror.name.rawValue) }

    func text(style: Style) -> String {
        "\(style.strong(mirror.name.rawValue)) is no longer followed."
    }
}
