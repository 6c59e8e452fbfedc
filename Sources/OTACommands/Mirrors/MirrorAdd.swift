import APIDocuments
import Administration
import ArgumentParser
import Foundation
import MirrorBuilds
import Mirrors
import Releases
import Store

struct MirrorAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Build and publish new tags and branches of a git repository.",
        discussion: """
            A name and an address are enough: the server syncs every 5 minutes, builds new version \
            tags, and new commits on main or master, as .ota/pipeline.yml says, and publishes the \
            builds. It does not build existing tags and commits: for those, use `ota mirror build`.
            Example:
              ota mirror add browsey https://git.example.com/team/browsey.git
              ota mirror add pare git@example.com:pare.git --ssh-key key --known-hosts hosts
            """,
    )

    @Argument(help: "A name for the mirror: lower-case letters, digits and hyphens.")
    var name: String

    @Argument(help: "The repository: https://host/path, ssh://user@host/path or user@host:path.")
    var address: String

    @OptionGroup(title: MirrorOptions.buildTitle) var build: MirrorBuildOptions
    @OptionGroup(title: MirrorOptions.accessTitle) var access: MirrorAccessOptions
    @OptionGroup(title: MirrorOptions.stepsTitle) var steps: MirrorStepOptions
    @OptionGroup(title: MirrorOptions.limitsTitle) var limits: MirrorLimitOptions
    @OptionGroup(title: MirrorOptions.accessTitle) var reach: MirrorReachOptions
    @OptionGroup(title: MirrorOptions.targetTitle) var target: TargetOptions

    @Flag(
        inversion: .prefixedNo,
        help: "Fetch the repository now; with --no-sync, the default of --interval is 0s.",
    )
    var sync = true

    @OptionGroup var output: OutputOptions

    private var options: MirrorOptions {
        MirrorOptions(build: build, access: access, steps: steps, limits: limits)
    }

    func validate() throws { try options.validate() }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let server = target.serverURL(in: context)
        var settings = try options.change()
        if sync, settings.interval == nil { settings.interval = Self.usualInterval }
        settings.address = address
        settings.allowFile = try reach.allowsFiles(on: server)
        let administration = try target.open(in: context, creates: true)
        var added = try await administration.perform(
            AddMirror(
                NewMirror(name: name, settings: settings, allowPrivate: reach.allowsPrivate)
            )
        )
        if sync {
            do {
                added = MirrorEntryDocument(mirror: try await synced(server, context))
            } catch {
                // Removes the mirror, so that the same command works once the cause is fixed.
                _ = try? await administration.perform(RemoveMirror(name))
                throw error
            }
        }
        try context.show(MirrorResult(document: added), json: output.json)
    }

    /// Seconds between two syncs unless another interval is given.
    private static let usualInterval = 300

    private func synced(
        _ server: String?,
        _ context: CommandContext,
    ) async throws -> MirrorDocument {
        if let server {
            return try await RemoteMirror(
                server: target.remote(server, in: context),
                name: name,
                terminal: context.terminal,
                isQuiet: output.json,
            ).sync().mirror
        }
        let store = try target.storeOptions.open(in: context)
        let place = try target.storeOptions.mirrors(of: store, in: context)
        try await MirrorSync.sync(
            store.mirror(named: name),
            place,
            context,
            isQuiet: output.json,
        )
        return try await target.open(in: context).perform(ShowMirror(name)).mirror
    }
}

/// The addresses that are allowed.
struct MirrorReachOptions: ParsableArguments {
    @Flag(help: "Allow an address that is a folder on this machine.")
    var allowFile = false

    @Flag(help: "Allow an address inside the server's own network.")
    var allowPrivate = false

    /// Nil if the option was not given.
    func allowsFiles(on server: String?) throws -> Bool? {
        guard allowFile else { return nil }
        guard server == nil else {
            throw ValidationError(
                "--allow-file is for a store on this machine; a server does not mirror its own "
                    + "folders"
            )
        }
        return true
    }

    var allowsPrivate: Bool? { allowPrivate ? true : nil }
}
