import ArgumentParser
import Foundation
import GitMirror
import Releases
import Store

struct MirrorAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Follow a repository.",
        discussion: """
            What is in the repository already is not built; tags that are pushed from now on are. The \
            pipeline is .ota/pipeline.yml of the commit, unless you give your own.
            Example:
              ota mirror add browsey https://git.example.com/team/browsey.git --interval 5m
              ota mirror add pare git@git.example.com:team/pare.git --ssh-key deploy.key \
            --known-hosts known_hosts
            """,
    )

    @Argument(help: "What to call it: lower-case letters, digits and hyphens.")
    var name: String

    @Argument(help: "Where it is: https://host/path, ssh://user@host/path or user@host:path.")
    var address: String

    @Flag(help: "Allow a folder of this machine as the address.")
    var allowFile = false

    @Flag(inversion: .prefixedNo, help: "Fetch it now.")
    var sync = true

    @OptionGroup var options: MirrorOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        guard let slug = Slug(name) else { throw MirrorRefusal.badName(name) }
        let store = try storeOptions.openOrCreate(in: context)
        let place = try storeOptions.mirrors(of: store, in: context)
        var mirror = Mirror(
            name: slug,
            address: try MirrorAddress(checking: address, allowsFiles: allowFile),
            added: context.now(),
            by: context.actor,
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
        try options.apply(to: &mirror)
        var secrets = MirrorSecrets()
        try options.secrets.apply(to: &secrets)
        try MirrorActions(in: place, by: context.actor).add(mirror, secrets: secrets)
        if sync {
            try await MirrorSync.look(at: mirror, place, context, isQuiet: output.json)
        }
        try context.show(MirrorResult(try MirrorState(mirror, in: store)), json: output.json)
    }
}
