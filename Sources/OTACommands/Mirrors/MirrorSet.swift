import ArgumentParser
import GitMirror
import Releases
import Store

struct MirrorSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change how a repository is followed, or its secrets.",
        discussion: """
            Example:
              ota mirror set browsey --interval 10m --branch main --branch 'release/*'
              ota mirror set browsey --secrets - < browsey.env
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Option(help: "Another address of the same repository.")
    var address: String?

    @Flag(help: "Allow a folder of this machine as the address.")
    var allowFile = false

    @Flag(inversion: .prefixedNo, help: "Neither look nor build until further notice.")
    var paused: Bool?

    @OptionGroup var options: MirrorOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let place = try storeOptions.mirrors(of: store, in: context)
        let mirror = try store.mirror(named: name)
        var changed = mirror
        if let address {
            changed.address = try MirrorAddress(checking: address, allowsFiles: allowFile)
        }
        if let paused { changed.isPaused = paused }
        try options.apply(to: &changed)
        var secrets = try store.secrets(of: mirror.name)
        try options.secrets.apply(to: &secrets)
        let kept = secrets
        try MirrorActions(in: place, by: context.actor).change(
            mirror,
            to: changed,
            secrets: options.secrets.isEmpty ? nil : { $0 = kept },
        )
        try context.show(MirrorResult(try MirrorState(changed, in: store)), json: output.json)
    }
}
