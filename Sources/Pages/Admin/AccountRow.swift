package import Foundation
import Identifiers
package import Releases

/// A team's developer account on the overview: whether the server works in it, and what Apple says.
package struct AccountRow: Sendable {
    let name: String
    let tone: String
    let state: String
    let fix: String?
    let facts: [String]
    let url: String

    /// - Parameters:
    ///   - name: of the team.
    ///   - account: what the server has of it.
    ///   - url: the page of teams.
    ///   - date: now.
    package init(_ name: String, _ account: TeamAccount, url: String, at date: Date) {
        self.name = name
        self.url = url
        if let trouble = account.trouble {
            tone = trouble.needsPerson ? "bad" : "warn"
            state = Wording.sentence(trouble.message)
            fix =
                trouble.needsPerson
                ? Wording.sentence(trouble.fix)
                : "Tried again since \(Wording.moment(trouble.since))."
        } else if !account.isActive {
            tone = "warn"
            state = "Waits for your agreement; nothing is changed at Apple before."
            fix = nil
        } else {
            tone = "good"
            state = "Devices are registered and profiles renewed by this server."
            fix = nil
        }
        guard let snapshot = account.snapshot else {
            facts = ["Apple has not been asked yet."]
            return
        }
        let slots = snapshot.slots.filter { $0.used > 0 }
            .map { "\($0.used) of \(DeviceRegister.slotLimit) \($0.family.title)" }
        facts = [
            slots.isEmpty
                ? "Apple counts no used slots" : "Apple counts " + slots.joined(separator: ", "),
            snapshot.unknownCount == 0
                ? nil : Wording.count(snapshot.unknownCount, "device") + " only at Apple",
            "asked \(Wording.ago(snapshot.date, at: date))",
        ]
        .compactMap(\.self)
    }
}

/// A job that has not ended, on the overview.
package struct OpenJob: Sendable {
    let title: String
    let state: String
    let reason: String?
    let tone: String

    /// - Parameters:
    ///   - title: what it does, as a sentence without a full stop.
    ///   - state: where it is, such as `running: register`.
    ///   - reason: why it waits, a clause; nil for nothing.
    ///   - isLate: whether it did not work before.
    package init(_ title: String, state: String, reason: String?, isLate: Bool) {
        self.title = title
        self.state = state
        self.reason = reason.map { Wording.sentence($0) }
        tone = isLate ? "warn" : "accent"
    }
}
