import Bundles
package import Cryptography
package import Foundation
package import Identifiers

/// A simulated device that installs over the air as iOS does, over real connections.
///
/// It is as strict as iOS is known to be, and where sources conflict it is the stricter, so that a server
/// that passes works with every phone.
///
///     let phone = SimulatedPhone(downloads: folder)
///     let attempt = await phone.install(from: "https://ota.example.com/apps/browsey") { print($0.title) }
package struct SimulatedPhone: Sendable {
    package var family = DeviceFamily.phone
    package var os = OSVersion(major: 18, minor: 1)
    /// If given, it must be in the app's provisioning profile; it is never printed.
    package var udid: DeviceUDID?
    /// Authorities that the owner installed and trusts, in addition to the system's.
    package var authorities: [Certificate] = []
    /// Safari's cookies, which are sent with page requests and not by the installer.
    package var cookies = CookieJar()
    /// The browser's user agent; nil for Mobile Safari.
    package var pageAgent: String?
    package var persistence = Persistence.stopsLikeAPhone
    /// The offsets in the app, in bytes, at which the connection is cut and resumed.
    package var cuts: [Int] = []
    package var timeouts = Timeouts()
    /// The folder for downloaded apps.
    package var downloads: URL
    /// The date at which certificates are checked.
    package var now: Date

    /// The phone's timeouts.
    package struct Timeouts: Sendable {
        /// For establishing a connection, in seconds.
        package var connect = 10.0
        /// For the next byte, in seconds.
        package var idle = 30.0

        package init(connect: Double = 10, idle: Double = 30) {
            self.connect = connect
            self.idle = idle
        }
    }

    /// Whether the phone continues after a failed step.
    package enum Persistence: Sendable {
        case stopsLikeAPhone
        /// Continues after a failed step while there is more to find out.
        case reportsEverything
    }

    package init(downloads: URL, trusting authorities: [Certificate] = [], now: Date = Date()) {
        self.downloads = downloads
        self.authorities = authorities
        self.now = now
    }
}
