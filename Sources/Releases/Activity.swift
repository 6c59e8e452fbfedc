package import Essentials

/// One line of `activity/{year}-{month}.jsonl`: what happened, when and by whom.
///
/// No UDID stands here; a device is named by its name.
package struct Activity: Codable, Sendable, Equatable {
    package let date: Date
    package let actor: String
    package let event: Event
    /// The app's bundle identifier, where there is one.
    package let app: String?
    /// What it happened to: a release, a device's name, a profile's name.
    package let subject: String
    package let detail: String?
    /// Of ``Event/buildEnded``, for a build that failed.
    package var failedBuild: FailedBuild?
    /// Of ``Event/rulesApplied``.
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
    /// That a device which waits for approval has enrolled.
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
