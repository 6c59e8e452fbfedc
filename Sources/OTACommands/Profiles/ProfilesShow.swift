import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Foundation
import Inspection
import Releases

struct ProfilesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one profile, by UUID or name.",
        discussion: """
            Example:
              ota profiles show "Browsey Ad Hoc"
            """,
    )

    @Argument(help: "The profile's UUID or name.")
    var profile: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ShowProfile(profile))
        try context.show(ProfileCard(document: document, now: context.now()), json: output.json)
    }
}

private struct ProfileCard: CommandResult {
    let document: RegisteredProfileDocument
    let now: Date

    func text(style: Style) -> String {
        let profile = document.profile
        let devices = profile.devices.map { Wording.count($0, "device") } ?? "all devices"
        let grants = profile.applicationIdentifier ?? "nothing"
        let distance = Wording.distance(to: profile.expires, from: now)
        var lines = [
            style.strong(profile.name.printable),
            "\(profile.type.title) for \(devices), team \(profile.teamName) (\(profile.team))"
                .printable,
            "grants \(grants)".printable,
            "expires \(Wording.day(profile.expires)), \(distance)",
            style.faint(profile.uuid.printable),
        ]
        for certificate in profile.certificates {
            let end = Wording.day(certificate.expires)
            lines.append("certificate \(certificate.name) until \(end)".printable)
        }
        for use in profile.usedIn {
            lines.append("used in \(use.app) \(use.release) at \(use.bundle)".printable)
        }
        return lines.joined(separator: "\n")
    }
}
