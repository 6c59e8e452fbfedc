import Access
package import Foundation
package import Inspection
import Releases

/// A job in `--json`, the API and on pages.
package struct JobEntry: Codable, Sendable, Equatable {
    /// The kind of the job.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case registerDevice = "register-device"
        case renewProfile = "renew-profile"
        case sign
        case renewCertificate = "renew-certificate"
    }

    package enum State: String, Codable, Sendable, CaseIterable {
        case waiting, running, done, failed, cancelled

        package var isOver: Bool { self != .waiting && self != .running }
    }

    /// The progress of a long step, in parts of about the same size.
    package struct Progress: Codable, Sendable, Equatable {
        package let done, total: Int

        package init(_ done: Int, of total: Int) {
            self.done = done
            self.total = total
        }

        /// The completed fraction, from 0 to 1.
        package var fraction: Double {
            total > 0 ? min(max(Double(done) / Double(total), 0), 1) : 0
        }
    }

    package let id: String
    package let kind: Kind
    /// The bundle identifier of its app.
    @OrNull package var app: String?
    @OrNull package var release: String?
    /// The identifier of the team whose developer account it uses.
    @OrNull package var team: String?
    /// The number of devices that can install the app because of the job.
    @OrNull package var devices: Int?
    package let state: State
    /// The next step, or the last one.
    package let step: String
    package let attempts: Int
    /// The progress of the current step; only while it runs, and if it is known.
    @OrNull package var progress: Progress?
    /// When the job starts; nil while it runs, and once it is over.
    @OrNull package var next: Date?
    /// Why it waits, failed, or had nothing to do.
    @OrNull package var reason: String?
    /// What to do about the reason.
    @OrNull package var fix: String?
    package let created: Date
    package let changed: Date
    /// Who requested it.
    package let by: String
    /// The job as a part of a sentence: `sign Browsey 2.4.0 (318) again`.
    package let title: String

    /// - Parameters:
    ///   - id: the job's identifier.
    ///   - kind: its kind.
    ///   - state: its state.
    ///   - step: the next step, or the last one.
    ///   - title: the job as a part of a sentence.
    ///   - attempts: how often it was started.
    ///   - actor: who requested it.
    ///   - created: when it was requested.
    ///   - changed: when it last changed.
    package init(
        _ id: String,
        _ kind: Kind,
        _ state: State,
        step: String,
        title: String,
        attempts: Int,
        by actor: String,
        created: Date,
        changed: Date,
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.step = step
        self.title = title
        self.attempts = attempts
        self.created = created
        self.changed = changed
        by = actor
    }

    /// The job for readers who must not learn the server's file paths: absolute paths in reason and fix are
    /// replaced by an ellipsis.
    package var withoutPaths: JobEntry {
        var entry = self
        entry.reason = reason.map(Self.withoutPaths)
        entry.fix = fix.map(Self.withoutPaths)
        return entry
    }

    private static func withoutPaths(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let opening: Set<Unicode.Scalar> = ["“", "\"", "'", "`", "(", "["]
            let isPath = word.unicodeScalars.drop { opening.contains($0) }.first == "/"
            return isPath ? "…" : word
        }
        .joined(separator: " ")
    }

    /// The state for people: `waiting until 21 November 2026, 21:35 UTC (attempt 2)`.
    package var stateWords: String {
        let tries = attempts > 1 ? " (attempt \(attempts))" : ""
        return switch state {
        case .waiting:
            // A job that is due starts within a second, or after the job before it.
            if let next, next > changed || attempts > 0 {
                "waiting until \(Wording.moment(next))\(tries)"
            } else {
                "waiting"
            }
        case .running:
            "running: \(step)"
                + (progress.map { ", \(Int($0.fraction * 100))%" } ?? "") + tries
        case .done, .failed, .cancelled: state.rawValue
        }
    }
}

/// Lists jobs, newest first.
package struct ListJobs: Action {
    package typealias Answer = JobsDocument
    package static let route = ActionRoute(
        .get,
        "/jobs",
        .everywhere(.admin),
        query: [.flag("open"), .number("limit", in: 1...200, else: 50)],
    )

    /// Whether to leave out jobs that are over.
    package let open: Bool
    package let limit: Int

    package init(onlyOpen: Bool = false, limit: Int = 50) {
        open = onlyOpen
        self.limit = limit
    }
}

/// `{"schema": 1, "jobs": […]}`.
package struct JobsDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let jobs: [JobEntry]

    package init(jobs: [JobEntry]) {
        self.jobs = jobs
    }
}

/// Shows one job.
///
/// A token that may read the job's app can see it; only admins can see jobs without an app.
package struct ShowJob: Action {
    package typealias Answer = JobDocument
    package static let route = ActionRoute(.get, "/jobs/{job}", .anyToken)

    package let job: String

    package init(_ job: String) {
        self.job = job
    }
}

/// `{"schema": 1, "job": {…}}`.
package struct JobDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let job: JobEntry

    package init(job: JobEntry) {
        self.job = job
    }
}

/// Retries a waiting, failed or cancelled job now, with all attempts again.
package struct RetryJob: Action {
    package typealias Answer = JobDocument
    package static let route = ActionRoute(.post, "/jobs/{job}/retry", .everywhere(.admin))

    package let job: String

    package init(_ job: String) {
        self.job = job
    }
}

/// Cancels a waiting job; a running one stops before its next step.
package struct CancelJob: Action {
    package typealias Answer = JobDocument
    package static let route = ActionRoute(.post, "/jobs/{job}/cancel", .everywhere(.admin))

    package let job: String

    package init(_ job: String) {
        self.job = job
    }
}
