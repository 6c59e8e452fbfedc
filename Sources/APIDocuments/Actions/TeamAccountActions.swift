import Access
package import Foundation
package import Inspection
import Releases

/// Compares a team's settings with its developer account, without changing anything there.
package struct CheckTeam: Action {
    package typealias Answer = TeamCheckDocument
    package static let route = ActionRoute(.post, "/teams/{team}/check", .everywhere(.admin))

    package let team: String

    package init(_ team: String) {
        self.team = team
    }
}

/// Compares the device register with a team's developer account, and makes them agree.
///
/// With the first request the admin agrees that the server changes the account automatically.
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

/// Requests a certificate for a team that has none, or whose certificate expires soon; the server generates
/// the private key.
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

/// Whether to make a change in a developer account, or only to report it.
package struct AccountWish: ActionContent, Equatable {
    /// Nil for false.
    package let dryRun: Bool?

    package init(isDryRun: Bool) {
        dryRun = isDryRun
    }

    package static let keys: Set<String> = ["dryRun"]
}

/// `{"schema": 1, "team": "ABCDE12345", "good": true, "lines": […]}`.
package struct TeamCheckDocument: Codable, Equatable, Sendable {
    /// The result of one check.
    package struct Line: Codable, Equatable, Sendable {
        package enum Verdict: String, Codable, Sendable {
            case good
            /// It works now, but will stop working.
            case warning
            /// It does not work.
            case missing
        }

        package let verdict: Verdict
        /// One clause.
        package let text: String
        /// What to do about it; nil if nothing has to be done.
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

/// How the two device lists differ, and the job that makes them agree.
package struct TeamSyncDocument: Codable, Equatable, Sendable {
    /// A difference that an admin must decide on, or that resolves itself.
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
    /// When an admin agreed that the server changes the account; nil if none has.
    @OrNull package var agreed: Date?
    /// The changes that the job makes, or that it would make, one clause each.
    package let steps: [String]
    package let differences: [Difference]
    /// The slots as counted by Apple.
    package let slots: [TeamAccountEntry.Slots]
    /// The job that makes the changes; nil if there are none, and in a dry run.
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

    /// The changes and differences, as a sentence.
    ///
    /// The two device lists are the same only if there are neither.
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

/// The plan for a team's certificate, and the job that requests a new one.
package struct TeamCertificateDocument: Codable, Equatable, Sendable {
    package enum Plan: String, Codable, Sendable {
        /// The current one is still valid long enough.
        case keep
        /// The current one expires soon.
        case renew
        /// The account has none for the team's key.
        case create
    }

    package var schema = 1
    package let team: String
    package let plan: Plan
    /// The plan as one clause.
    package let text: String
    /// When the current one expires; nil if there is none.
    @OrNull package var expires: Date?
    /// Nil if nothing has to be done, and in a dry run.
    @OrNull package var job: JobEntry?

    package init(team: String, plan: Plan, text: String, expires: Date?, job: JobEntry?) {
        self.team = team
        self.plan = plan
        self.text = text
        self.expires = expires
        self.job = job
    }
}
