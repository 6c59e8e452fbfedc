import Bundles
import Foundation
import Inspection
import Releases

/// One profile as commands show it.
struct ProfileRow: Encodable {
    struct Use: Encodable {
        let app, release, bundle: String
    }

    let uuid, name, type, team, teamName: String
    let applicationIdentifier: String?
    let created, expires: Date
    let devices: Int?
    let verified: Bool
    let certificatesExpire: Date?
    let usedIn: [Use]

    init(_ record: ProfileRecord) {
        uuid = record.uuid
        name = record.name
        type = record.type.rawValue
        team = record.team
        teamName = record.teamName
        applicationIdentifier = record.applicationIdentifier
        created = record.created
        expires = record.expires
        devices = record.deviceCount
        verified = record.isVerified
        certificatesExpire = record.certificates.map(\.expires).max()
        usedIn = record.uses.map {
            Use(app: $0.app.rawValue, release: $0.release.rawValue, bundle: $0.bundle)
        }
    }
}

/// Profiles as a table, those that expire first at the top.
struct ProfileTable: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let profiles: [ProfileRow]
    }

    let records: [ProfileRecord]
    let now: Date
    /// What is said when there is none.
    let emptySentence: String

    var document: Document { Document(profiles: records.map(ProfileRow.init)) }

    func text(style: Style) -> String {
        guard !records.isEmpty else { return emptySentence }
        var table = Table(["EXPIRES", "", "PROFILE", "TYPE", "TEAM", "DEVICES", "USED IN"])
        for record in records {
            table.add([
                Table.Cell(Wording.day(record.expires)),
                distance(to: record.expires, style),
                Table.Cell(record.name, paint: style.strong),
                Table.Cell(record.type.title),
                Table.Cell(record.teamName),
                Table.Cell(record.deviceCount.map(String.init) ?? "all"),
                Table.Cell(uses(of: record)),
            ])
        }
        return table.text(style: style)
    }

    private func uses(of record: ProfileRecord) -> String {
        record.uses.map { "\($0.app) \($0.release)" }.joined(separator: ", ")
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
