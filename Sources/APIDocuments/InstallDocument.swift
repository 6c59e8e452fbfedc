import Bundles
package import Foundation
import Identifiers
package import Releases

/// An attempt to install a release, in the API and in `--json`.
package struct InstallEntry: Codable, Equatable, Sendable {
    package let app, release: String
    /// The device's reference, if the server knew the device.
    package let device: String?
    /// The device's name in the register.
    package let deviceName: String?
    /// The signed-in person who installed it on a device that the server does not know.
    package let person: String?
    package let began, ended: Date
    package let outcome: InstallAttempt.Outcome
    /// The number of bytes of the IPA that were sent.
    package let sent: Int
    package let message: String

    /// - Parameters:
    ///   - attempt: the attempt.
    ///   - names: the names of devices by their references.
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

/// `{"schema": 1, "installs": […]}`, latest first.
package struct InstallsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let installs: [InstallEntry]

    package init(installs: [InstallEntry]) {
        self.installs = installs
    }
}
