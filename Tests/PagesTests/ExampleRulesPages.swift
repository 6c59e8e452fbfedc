import Foundation
import Identifiers
import Pages
import Releases
import Testing

/// The admin's page of an app's retention rules.
extension ExamplePages {
    func rules(isRefused: Bool = false) throws -> RulesPage {
        let rules = RetentionRules(newest: 10, days: 30)
        var draft = RulesPage.Draft(rules)
        if isRefused { draft.newest = "many" }
        let reasons = [
            ["stable offers it", "one of the newest on stable"],
            ["\(word("ada")) pinned it: \(word("the build that the auditors have"))"], [],
        ]
        return RulesPage(
            of: try record(),
            draft: draft,
            trial: RulesPage.Trial(
                rules,
                isSaved: !isRefused,
                freed: 48_000_000,
                lines: reasons.enumerated().map { place, reasons in
                    RulesPage.Trial.Line(
                        release: ReleaseIdentifier(
                            version: "2.3.\(9 - place)",
                            build: "\(300 - place)",
                        ),
                        published: Self.now,
                        reasons: reasons,
                    )
                },
            ),
            next: isRefused ? nil : Self.now,
            problem: isRefused
                ? PageProblem(id: "form.newest", message: word("Give numbers."), fix: nil) : nil,
            links: try adminLinks(),
            admin: try admin(.apps),
        )
    }

    /// Feedback from testers, for an app's page and for the page with all feedback.
    func feedbackRows(_ count: Int = 2) throws -> FeedbackList {
        var said = FeedbackRecord()
        for number in 0..<count {
            said.add(
                Feedback(
                    identifier: "0123456789abcde\(number)",
                    // Within minutes, the same feedback would count as a second tap.
                    date: Self.now.addingTimeInterval(Double(number - count) * 3600),
                    text: word("It crashes") + "\n" + word("on start \(number)"),
                    release: ReleaseIdentifier(version: "2.4.0", build: "318"),
                    sender: Feedback.Sender(name: word("Ana’s iPhone"), model: nil, os: "18.1"),
                    device: nil,
                )
            )
        }
        return FeedbackList(
            said,
            atMost: 5,
            links: try adminLinks().pages(of: record().slug),
            code: "0123456789abcdef",
        )
    }

    func feedbackList() throws -> FeedbackListPage {
        FeedbackListPage(
            of: try record(),
            feedback: try feedbackRows(),
            links: try adminLinks(),
            admin: try admin(.apps),
        )
    }
}
