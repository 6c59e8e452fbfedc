import ArgumentParser
import Bundles
import Foundation
import Inspection
import Releases
import Store

struct ProfilesShow: ParsableCommand {
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

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let all = try storeOptions.open(in: context).profiles().byExpiry
        let matches = all.filter {
            $0.uuid.lowercased() == profile.lowercased() || $0.name == profile
        }
        guard let record = matches.last else {
            throw CommandFailure(
                id: "profile.unknown",
                message: "there is no profile “\(profile)”",
                mend: "see `ota profiles list`",
            )
        }
        try context.show(ProfileCard(record: record, now: context.now()), json: output.json)
    }
}

private struct ProfileCard: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let profile: ProfileRow
    }

    let record: ProfileRecord
    let now: Date

    var document: Document { Document(profile: ProfileRow(record)) }

    func text(style: Style) -> String {
        let devices = record.deviceCount.map { Wording.count($0, "device") } ?? "all devices"
        var lines = [
            style.strong(record.name.printable),
            "\(record.type.title) for \(devices), team \(record.teamName.printable) (\(record.team))",
            "grants \((record.applicationIdentifier ?? "nothing").printable)",
            "expires \(Wording.day(record.expires)), \(Wording.distance(to: record.expires, from: now))",
            style.faint(record.uuid),
        ]
        for certificate in record.certificates {
            lines.append(
                "certificate \(certificate.name.printable) until \(Wording.day(certificate.expires))"
            )
        }
        for use in record.uses {
            lines.append("used in \(use.app) \(use.release) at \(use.bundle.printable)")
        }
        return lines.joined(separator: "\n")
    }
}
