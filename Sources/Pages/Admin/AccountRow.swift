package import Foundation
import Identifiers
package import Releases

/// A team's developer account on the overview: whether the server works in it, and Apple's device counts.
package struct AccountRow: Sendable {
    let name: String
    let tone: String
    let state: String
    let fix: String?
    let facts: [String]
    let url: String

    /// - Parameters:
    ///   - name: the team's name.
    ///   - account: the team's account.
    ///   - url: the page of teams.
    ///   - date: the current time.
    package init(_ name: String, _ account: TeamAccount, url: String, at date: Date) {
        self.name = name
        self.url = url
        if let trouble = account.trouble {
            tone = trouble.needsPerson ? "bad" : "warn"
            state = Wording.sentence(trouble.message)
            fix =
                trouble.needsPerson
                ? Wording.sentence(trouble.fix)
                : "The server has been trying again since \(Wording.moment(trouble.since))."
        } else if !account.isActive {
            tone = "warn"
            state = "Waiting for your permission; until then the server changes nothing at Apple."
            fix = nil
        } else {
            tone = "good"
            state = "This server registers devices and renews profiles."
            fix = nil
        }
        guard let snapshot = account.snapshot else {
            facts = ["The server has not asked Apple yet."]
            return
        }
        let slots = snapshot.slots.filter { $0.used > 0 }
            .map { "\($0.used) of \(DeviceRegister.slotLimit) \($0.family.title)" }
        facts = [
            slots.isEmpty
                ? "Apple counts no used slots" : "Apple counts " + slots.joined(separator: ", "),
            snapshot.unknownCount == 0
                ? nil : Wording.count(snapshot.unknownCount, "device") + " only at Apple",
            "Asked \(Wording.ago(snapshot.date, at: date))",
        ]
        .compactMap(\.self)
    }
}
