import Bundles
package import Foundation
import Identifiers
package import Releases

/// What one phone fetched of one release, as documents show it.
package struct InstallEntry: Codable, Equatable, Sendable {
    package let app, release: String
    /// The device's reference, where the server knew it.
    package let device: String?
    /// What the register calls that device.
    package let deviceName: String?
    /// The person who signed in to install it on a device that the server does not know.
    package let person: String?
    package let began, ended: Date
    package let outcome: InstallAttempt.Outcome
    /// Bytes of the IPA that went out.
    package let sent: Int
    package let message: String

    /// - Parameters:
    ///   - attempt: what was fetched.
    ///   - names: what devices are called, by their references.
    package init(_ attempt: InstallAttempt, names: [String: String]) {
        app = attempt.app.rawValue
        release = attempt.release.rawValue
        device = attempt.device
        deviceName = attempt.device.flatMap { names[$0] }
        person = attempt.person
        began = attempt.began
        ended = attempt.ended
        outcome = attempt.outcome
        sent = attempt.sent
        message = attempt.sentence
    }
}

/// `{"schema": 1, "installs": […]}`, the latest first.
package struct InstallsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let installs: [InstallEntry]

    package init(installs: [InstallEntry]) {
        self.installs = installs
    }
}
