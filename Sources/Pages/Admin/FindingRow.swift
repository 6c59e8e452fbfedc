import Bytes
import Identifiers
import Inspection
import Releases

/// All findings of one rule in a build.
struct FindingRow: Sendable {
    let severity: Chip
    let rule: String
    let code: String?
    let title: String
    /// Such as `6 places`; nil for one.
    let count: String?
    let cases: [Case]
    let fix: String
    let phone: String?
    let since: String?
    let onDevices: String?

    /// A finding in one place.
    struct Case: Sendable {
        let message: String
        let place: String
    }

    /// Returns one row for all findings of a rule with the same fix, in order of first appearance.
    static func rows(of findings: [Finding]) -> [FindingRow] {
        var groups: [[Finding]] = []
        for finding in findings {
            let place = groups.firstIndex { group in
                group.first.map { isAlike($0, finding) } == true
            }
            if let place { groups[place].append(finding) } else { groups.append([finding]) }
        }
        return groups.compactMap { group in
            group.first.map { FindingRow($0, of: group) }
        }
    }

    private static func isAlike(_ one: Finding, _ other: Finding) -> Bool {
        one.id == other.id && one.severity == other.severity && one.fix == other.fix
            && one.blocksFrom == other.blocksFrom && one.devices == other.devices
    }

    private init(_ finding: Finding, of group: [Finding]) {
        severity = Chip(finding.severity)
        rule = finding.id
        code = finding.appleCode
        title = finding.title
        count = group.count > 1 ? "\(group.count.grouped) places" : nil
        cases = group.map { Case(message: $0.message, place: $0.place) }
        fix = finding.fix
        phone = finding.phone?.sentence
        since = finding.blocksFrom.map { "Blocks installation on iOS \($0) and later." }
        onDevices = finding.devices.map { "Affects \(Wording.count($0.count, "device"))." }
    }
}
