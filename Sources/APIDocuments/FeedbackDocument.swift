import Bundles
package import Foundation
package import Inspection
import Identifiers
package import Releases

/// What one tester said.
package struct FeedbackEntry: Codable, Equatable, Sendable {
    /// 16 hexadecimal digits.
    package let id: String
    package let date: Date
    package let text: String
    /// The build that the tester has.
    package let release: String
    /// Who signed in as a tester; null for no one.
    @OrNull package var person: String?
    /// What the register calls the device; null for one that the server does not know.
    @OrNull package var deviceName: String?
    @OrNull package var model: String?
    @OrNull package var os: String?
    /// The device's reference; null for one that the server does not know.
    @OrNull package var device: String?

    package init(_ feedback: Feedback) {
        id = feedback.identifier
        date = feedback.date
        text = feedback.text
        release = feedback.release.rawValue
        person = feedback.sender.person
        deviceName = feedback.sender.name
        model = feedback.sender.model
        os = feedback.sender.os
        device = feedback.device
    }
}

/// What testers said of an app, the newest first.
package struct FeedbackListDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let app: String
    package let feedback: [FeedbackEntry]
    /// How many went because there were too many.
    package let dropped: Int

    package init(of app: AppRecord, _ record: FeedbackRecord) {
        self.app = app.bundleIdentifier.rawValue
        feedback = record.entries.reversed().map { FeedbackEntry($0) }
        dropped = record.dropped
    }
}

/// `{"schema": 1, "feedback": {…}}`.
package struct FeedbackDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let feedback: FeedbackEntry

    package init(_ feedback: Feedback) {
        self.feedback = FeedbackEntry(feedback)
    }
}
