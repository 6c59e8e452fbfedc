import APIDocuments
import Bundles
import Administration
import Foundation
import Inspection
import Releases

/// Profiles as a table, sorted by expiry.
struct ProfileTable: CommandResult {
    let document: ProfilesDocument
    let now: Date
    /// The text if there are none.
    let emptySentence: String

    func text(style: Style) -> String {
        guard !document.profiles.isEmpty else { return emptySentence }
        var table = Table(["EXPIRES", "", "PROFILE", "TYPE", "TEAM", "DEVICES", "USED IN", "UUID"])
        for profile in document.profiles {
            table.add([
                Table.Cell(Wording.day(profile.expires)),
                distance(to: profile.expires, style),
                Table.Cell(profile.name, paint: style.strong),
                Table.Cell(
                    profile.type.title.prefix(1).uppercased() + profile.type.title.dropFirst()
                ),
                Table.Cell(profile.teamName),
                Table.Cell(profile.devices.map(String.init) ?? "all"),
                Table.Cell(uses(of: profile)),
                Table.Cell(profile.uuid, paint: style.faint),
            ])
        }
        return table.text(style: style)
    }

    private func uses(of profile: ProfileEntry) -> String {
        // A release uses a profile once for each extension too, but is listed once.
        var builds: [String] = []
        for use in profile.usedIn where builds.last != "\(use.app) \(use.release)" {
            builds.append("\(use.app) \(use.release)")
        }
        return builds.joined(separator: ", ")
    }

    private func distance(to date: Date, _ style: Style) -> Table.Cell {
        let text = Wording.distance(to: date, from: now)
        if date <= now { return Table.Cell(text, paint: style.bad) }
        guard Wording.days(from: now, to: date) <= 30 else {
            return Table.Cell(text, paint: style.good)
        }
        return Table.Cell(text, paint: style.warning)
    }
}
