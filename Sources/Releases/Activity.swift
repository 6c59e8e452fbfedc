package import Essentials

/// One line of `activity/{year}-{month}.jsonl`: what happened, when, and who did it.
///
/// It never contains a UDID; a device is identified by its name.
package struct Activity: Codable, Sendable, Equatable {
    package let date: Date
    package let actor: String
    package let event: Event
    /// The app's bundle identifier, if there is one.
    package let app: String?
    /// The object of the action: a release, a device's name, a profile's name.
    package let subject: String
    package let detail: String?
    /// Set for ``Event/buildEnded`` if the build failed.
    package var failedBuild: FailedBuild?
    /// Set for ``Event/rulesApplied``.
    package var removed: RemovedReleases?

    package init(
        date: Date,
        actor: String,
        event: Event,
        app: String? = nil,
        subject: String,
        detail: String? = nil,
    ) {
        self.date = date
        self.actor = actor
        self.event = event
        self.app = app
        self.subject = subject
        self.detail = detail
    }
}

extension Activity {
    /// Records the enrolment of a device that is waiting for approval.
    package init(enrolmentOf device: Device) {
        self.init(
            date: device.stateSince,
            actor: device.history.last?.by ?? device.name,
            event: .deviceEnrolled,
            subject: device.name,
            detail: device.modelName,
        )
    }
}
