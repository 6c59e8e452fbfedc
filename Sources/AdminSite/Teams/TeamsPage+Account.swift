import APIDocuments
import Foundation
import Identifiers
import Pages
import Problems
import Releases

// A developer account, as a part of the page of teams.

extension TeamsPage.Account {
    init(_ account: TeamAccountEntry, of team: TeamEntry, _ visit: AdminRequest) {
        var facts = [
            "API key \(account.keyID), added on \(Wording.day(account.added)) by \(account.addedBy)."
        ]
        if let agreed = account.agreed {
            facts.append(
                "\(account.agreedBy ?? "An admin") allowed the server to make changes there on "
                    + "\(Wording.day(agreed))."
            )
        } else {
            facts.append(
                "The server changes nothing there until an admin has compared the devices."
            )
        }
        if let snapshot = account.snapshot {
            let slots = snapshot.slots.map { "\($0.used) of \($0.limit) \($0.family.title) slots" }
            facts.append(
                "Apple counted " + (slots.isEmpty ? "no device" : slots.joined(separator: ", "))
                    + " on \(Wording.moment(snapshot.date))."
            )
        }
        if let date = account.requested {
            facts.append(
                "It has been requesting a certificate from Apple since "
                    + "\(Wording.moment(date))."
            )
        }
        let trouble = account.trouble.map { trouble in
            let problem = Problem(
                id: trouble.id,
                kind: .failed,
                message: trouble.message,
                fix: trouble.fix,
            )
            return Wording.sentence(trouble.message)
                + (problem.pageFix.map { " To fix it: \($0)." } ?? "")
        }
        let url = visit.links.team(team.identifier)
        let code = visit.formCode
        self.init(
            facts: facts,
            trouble: trouble,
            buttons: [
                ActionButton(
                    "Check",
                    label: "Check the developer account of \(team.name)",
                    url: url + "/check",
                    code: code,
                ),
                ActionButton(
                    "Compare devices",
                    label: "Compare the devices of \(team.name)",
                    url: url + "/compare",
                    code: code,
                ),
                ActionButton(
                    "Certificate",
                    label: "Check the certificate of \(team.name)",
                    url: url + "/certificate",
                    code: code,
                ),
                ActionButton(
                    "Remove API key",
                    label: "Remove the API key of \(team.name)",
                    url: url + "/account/remove",
                    code: code,
                    confirmation:
                        "This deletes every copy of the key in the store, and Apple’s answers "
                        + "about the account. Revoke it in App Store Connect too.",
                    isBad: true,
                ),
            ],
        )
    }
}
