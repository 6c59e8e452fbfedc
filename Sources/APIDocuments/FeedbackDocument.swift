import Bundles
package import Foundation
package import Inspection
import Identifiers
package import Releases

/// The feedback of one tester.
package struct FeedbackEntry: Codable, Equatable, Sendable {
    /// 16 hexadecimal digits.
    package let id: String
    package let date: Date
    package let text: String
    /// The build that the tester has installed.
    package let release: String
    /// The signed-in tester; null if the tester did not sign in.
    @OrNull package var person: String?
    /// The device's name in the register; null for a device that the server does not know.
    @OrNull package var deviceName: String?
    @OrNull package var model: String?
    @OrNull package var os: String?
    /// The device's reference; null for a device that the server does not know.
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

/// The feedback for an app, newest first.
package struct FeedbackListDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let app: String
    package let feedback: [FeedbackEntry]
    /// The number of entries that were deleted because there were too many.
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
