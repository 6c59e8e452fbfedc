package import APIDocuments
import Foundation
import Identifiers
import Inspection
package import Jobs
import Releases

extension JobEntry {
    /// - Parameters:
    ///   - job: the job as it is in the store.
    ///   - appTitle: the title of its app; nil if unknown.
    package init(_ job: Job, app appTitle: String?) {
        self.init(
            job.identifier.rawValue,
            Kind(job.kind),
            State(job.state),
            step: job.step,
            title: job.words(app: appTitle),
            attempts: job.attempts,
            by: job.by,
            created: job.created,
            changed: job.changed,
        )
        app = job.app?.rawValue
        release = job.release?.rawValue
        team = job.team?.rawValue
        devices = job.devices
        progress =
            job.state == .running
            ? job.progress.map { Progress($0.done, of: $0.total) } : nil
        next = job.next
        reason = job.reason
        // A cancelled or completed job needs no fix.
        fix = job.state == .cancelled || job.state == .done ? nil : job.fix
    }
}

extension JobEntry.Kind {
    init(_ kind: Job.Kind) {
        self =
            switch kind {
            case .registerDevice: .registerDevice
            case .renewProfile: .renewProfile
            case .sign: .sign
            case .renewCertificate: .renewCertificate
            }
    }
}

extension JobEntry.State {
    init(_ state: Job.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .running: .running
            case .done: .done
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}
