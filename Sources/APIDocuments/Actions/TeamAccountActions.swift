import Access
package import Foundation
package import Inspection
import Releases

/// Asks Apple what a team's developer account has and lacks; changes nothing there.
package struct CheckTeam: Action {
    package typealias Answer = TeamCheckDocument
    package static let route = ActionRoute(.post, "/teams/{team}/check", .everywhere(.admin))

    package let team: String

    package init(_ team: String) {
        self.team = team
    }
}

/// Compares the device register with a team's developer account, and lets them agree.
///
/// The first time this is the admin's consent to the server's working there by itself.
package struct SyncTeam: Action {
    package typealias Answer = TeamSyncDocument
    package static let route = ActionRoute(
        .post,
        "/teams/{team}/sync",
        .everywhere(.admin),
        success: .accepted,
    )

    package let team: String
    package let content: AccountWish

    package init(_ team: String, isDryRun: Bool = false) {
        self.team = team
        content = AccountWish(isDryRun: isDryRun)
    }

    package static func location(of answer: TeamSyncDocument) -> String? {
        answer.job.map { "/jobs/\($0.id)" }
    }
}

/// Creates a certificate of a team where it has none that lasts; the private key is made by the server.
package struct CreateCertificate: Action {
    package typealias Answer = TeamCertificateDocument
    package static let route = ActionRoute(
        .post,
        "/teams/{team}/certificate",
        .everywhere(.admin),
        success: .accepted,
    )

    package let team: String
    package let content: AccountWish

    package init(_ team: String, isDryRun: Bool = false) {
        self.team = team
        content = AccountWish(isDryRun: isDryRun)
    }

    package static func location(of answer: TeamCertificateDocument) -> String? {
        answer.job.map { "/jobs/\($0.id)" }
    }
}

/// Whether something is done in a developer account, or only what would be done is said.
package struct AccountWish: ActionContent, Equatable {
    /// nil does it.
    package let dryRun: Bool?

    package init(isDryRun: Bool) {
        dryRun = isDryRun
    }

    package static let keys: Set<String> = ["dryRun"]
}

/// `{"schema": 1, "team": "ABCDE12345", "good": true, "lines": […]}`.
package struct TeamCheckDocument: Codable, Equatable, Sendable {
    /// One thing that was checked.
    package struct Line: Codable, Equatable, Sendable {
        package enum Verdict: String, Codable, Sendable {
            case good
            /// It works now, and will not continue to.
            case warning
            /// It does not work.
            case missing
        }

        package let verdict: Verdict
        /// One clause.
        package let text: String
        /// What to do about it; nil where nothing has to be done.
        @OrNull package var fix: String?

        package init(verdict: Verdict, text: String, fix: String?) {
            self.verdict = verdict
            self.text = text
            self.fix = fix
        }
    }

    package var schema = 1
    package let team: String
    /// Whether nothing is missing.
    package let good: Bool
    package let lines: [Line]

    package init(team: String, isGood: Bool, lines: [Line]) {
        self.team = team
        good = isGood
        self.lines = lines
    }
}

/// How both registers differ, and the job that lets them agree.
package struct TeamSyncDocument: Codable, Equatable, Sendable {
    /// What a person has to judge, or what passes by itself.
    package struct Difference: Codable, Equatable, Sendable {
        /// One clause.
        package let text: String
        package let fix: String

        package init(text: String, fix: String) {
            self.text = text
            self.fix = fix
        }
    }

    package var schema = 1
    package let team: String
    /// When an admin agreed that the server works in the account; nil while no one has.
    @OrNull package var agreed: Date?
    /// What would be done, or is going to be, one clause each.
    package let steps: [String]
    package let differences: [Difference]
    /// As Apple counts them.
    package let slots: [TeamAccountEntry.Slots]
    /// What does the steps; nil where there are none, and in a dry run.
    @OrNull package var job: JobEntry?

    package init(
        team: String,
        agreed: Date?,
        steps: [String],
        differences: [Difference],
        slots: [TeamAccountEntry.Slots],
        job: JobEntry?,
    ) {
        self.team = team
        self.steps = steps
        self.differences = differences
        self.slots = slots
        self.agreed = agreed
        self.job = job
    }

    /// What there is to change and to judge, as a sentence.
    ///
    /// The two lists of devices are the same only where there is neither.
    package var summary: String {
        let persons =
            Wording.count(differences.count, "difference")
            + (differences.count == 1 ? " needs a person" : " need a person")
        let changes = Wording.count(steps.count, "change")
        return switch (steps.isEmpty, differences.isEmpty) {
        case (true, true): "The device register and Apple’s list are the same."
        case (true, false): "The server has nothing to change; \(persons)."
        case (false, true): "The server would make \(changes)."
        case (false, false): "The server would make \(changes); \(persons)."
        }
    }
}

/// What becomes of a team's certificate, and the job that creates another one.
package struct TeamCertificateDocument: Codable, Equatable, Sendable {
    package enum Plan: String, Codable, Sendable {
        /// The present one lasts.
        case keep
        /// It ends soon.
        case renew
        /// The account has none about the team's key.
        case create
    }

    package var schema = 1
    package let team: String
    package let plan: Plan
    /// The same as one clause.
    package let text: String
    /// When the present one ends; nil where there is none.
    @OrNull package var expires: Date?
    /// nil where nothing has to be done, and in a dry run.
    @OrNull package var job: JobEntry?

    package init(team: String, plan: Plan, text: String, expires: Date?, job: JobEntry?) {
        self.team = team
        self.plan = plan
        self.text = text
        self.expires = expires
        self.job = job
    }
}
