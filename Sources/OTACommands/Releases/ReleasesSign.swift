import APIDocuments
import Administration
import ArgumentParser
import Cryptography
import Foundation
import Jobs
import Releases
import Store

struct ReleasesSign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a release again with the newest profiles, to include new devices.",
        discussion: """
            The release keeps its version and build; links, pages and channels lead to the new file, \
            and the published one is kept. Signs with the identity and profiles of the app's team, or \
            with the ones given. Needs no Mac. Exits with 1 if the release would not install.
            Example:
              ota releases sign browsey 1.2.0-34
              ota releases sign browsey 1.2.0 --profile Browsey_Ad_Hoc.mobileprovision
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Option(help: "The team whose identity signs, by identifier; default: the app's own team.")
    var team: String?

    @Option(
        name: .customLong("profile"),
        help: """
            A provisioning profile to use instead of the team's; one for each bundle that needs one. \
            May be repeated.
            """,
    )
    var profiles: [String] = []

    @Flag(help: "Only queue the job for a running server.")
    var queueOnly = false

    @OptionGroup var keyOptions: KeyFileOptions
    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context, anchors: anchorOptions.anchors())
            .sealing(with: keyOptions.file(in: context))
            .trusting(anchorOptions.certificates())
        let files = try profiles.map {
            Data(try TextInput.bytes($0, limit: SigningTask.profileLimit))
        }
        if !queueOnly { try openIdentity(in: administration) }
        let asked = try await GivenProfiles(profiles).naming {
            try await administration.perform(
                SignRelease(
                    named.release,
                    of: named.app,
                    with: SigningWish(team: team, profiles: files.isEmpty ? nil : files),
                )
            )
        }
        var ended: JobEntry?
        if let job = asked.job, !queueOnly {
            let following = JobFollowing(
                target: administration,
                terminal: context.terminal,
                isQuiet: output.json,
            )
            ended = try await Interruption.cancelling { try await following.end(of: job) }
            if let problem = ended?.problem { throw problem }
        }
        let release = try await administration.perform(
            ShowRelease(asked.release, of: asked.app)
        ).release
        try context.show(
            SignedRelease(asked: asked, job: ended ?? asked.job, release: release),
            json: output.json,
        )
    }
}

extension ReleasesSign {
    /// Tries this machine's key file before a job is queued, which would otherwise wait for the right one.
    ///
    /// - Throws: `KeyFileRefusal`, `SealRefusal`, and errors of finding the app and the team.
    private func openIdentity(in administration: CommandTarget) throws {
        guard case .store(let local) = administration, let file = local.keyFile else { return }
        let admin = local.admin
        let signing = try admin.signingTeam(of: admin.app(named: named.app), named: team)
        _ = try admin.store.signingIdentity(
            of: signing.identifier,
            with: file.key(for: admin.store),
        )
    }
}

/// The result of signing a release again.
private struct SignedRelease: CommandResult {
    let asked: SigningDocument
    let job: JobEntry?
    let release: ReleaseEntry

    struct Document: Encodable {
        let schema = 1
        let created: Bool
        let release: ReleaseEntry
        let profiles: [SigningDocument.Profile]
        let gained, lost: Int
        let job: JobEntry?
    }

    var document: Document {
        Document(
            created: asked.created,
            release: release,
            profiles: asked.profiles,
            gained: asked.gained,
            lost: asked.lost,
            job: job,
        )
    }

    func text(style: Style) -> String {
        let name = release.title.printable
        guard let job else {
            return "\(name) already has the newest profiles; nothing changed."
        }
        let names = asked.profiles.map(\.name).joined(separator: ", ").printable
        let with = "with \(Wording.count(asked.profiles.count, "profile")) (\(names))"
        guard job.state == .done else {
            return "\(name) will be signed again \(with): ota jobs show \(job.id)"
        }
        var lines = [style.good("Signed") + " \(name) again \(with)."]
        if asked.gained > 0 {
            lines.append("\(Wording.count(asked.gained, "more device")) can install it now.")
        }
        if asked.lost > 0 {
            lines.append(
                style.warning("\(Wording.count(asked.lost, "device")) can no longer install it:")
                    + " the new profile does not list \(asked.lost == 1 ? "it" : "them")."
            )
        }
        return lines.joined(separator: "\n")
    }
}
