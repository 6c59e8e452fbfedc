import APIDocuments
import Administration
import Foundation
import Notices
import Releases

/// What expires soon as a table, earliest first: profiles, and certificates that expire before the profiles
/// that list them.
struct ExpiringTable: CommandResult {
    let document: ProfilesDocument
    let now: Date
    /// The text if there is nothing.
    let emptySentence: String

    func text(style: Style) -> String {
        // A server of an earlier version lists only profiles.
        guard let items = document.items else {
            return ProfileTable(document: document, now: now, emptySentence: emptySentence)
                .text(style: style)
        }
        guard !items.isEmpty else { return emptySentence }
        var table = Table(["EXPIRES", "", "WHAT", "NAME", "TEAM", "USED IN"])
        for item in items {
            let kind: String = item.kind.title
            let team: String = item.team ?? "–"
            let cells: [Table.Cell] = [
                Table.Cell(Wording.day(item.expires)),
                distance(to: item.expires, style),
                Table.Cell(kind),
                Table.Cell(item.name, paint: style.strong),
                Table.Cell(team),
                Table.Cell(Self.builds(of: item)),
            ]
            table.add(cells)
        }
        return table.text(style: style)
    }

    private func distance(to date: Date, _ style: Style) -> Table.Cell {
        let text = Wording.distance(to: date, from: now)
        if date <= now { return Table.Cell(text, paint: style.bad) }
        return Table.Cell(text, paint: style.warning)
    }

    /// The builds that a channel now offers.
    private static func builds(of item: ExpiryItemDocument) -> String {
        let offered = item.places.filter { !$0.channels.isEmpty }
        let builds: Set<String> = Set(offered.map { "\($0.app) \($0.release)" })
        return builds.sorted().joined(separator: ", ")
    }
}
