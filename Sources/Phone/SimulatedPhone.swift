import Bundles
package import Cryptography
package import Foundation
package import Identifiers

/// A device in software that installs over the air as iOS does, over real connections.
///
/// It is as strict as a real one about what is known of iOS, and where the evidence conflicts it is
/// the stricter one, for a server that pleases it pleases every phone.
///
///     let phone = SimulatedPhone(downloads: folder)
///     let attempt = await phone.install(from: "https://ota.example.com/apps/browsey") { print($0.title) }
package struct SimulatedPhone: Sendable {
    package var family = DeviceFamily.phone
    package var os = OSVersion(major: 18, minor: 1)
    /// Looked for in the app's provisioning profile where given; never printed.
    package var udid: DeviceUDID?
    /// Authorities that its owner installed and trusts, beside the system's.
    package var authorities: [Certificate] = []
    /// What Safari was given by servers; pages get it back, the installer sends none of it.
    package var cookies = CookieJar()
    /// How the browser introduces itself; nil for Mobile Safari.
    package var pageAgent: String?
    package var persistence = Persistence.stopsLikeAPhone
    /// Byte offsets of the app at which the connection is cut and taken up again.
    package var cuts: [Int] = []
    package var timeouts = Timeouts()
    /// Where the app is put.
    package var downloads: URL
    /// The date that certificates are judged at.
    package var now: Date

    /// How long the phone waits.
    package struct Timeouts: Sendable {
        /// Until a connection stands, in seconds.
        package var connect = 10.0
        /// For the next byte, in seconds.
        package var idle = 30.0

        package init(connect: Double = 10, idle: Double = 30) {
            self.connect = connect
            self.idle = idle
        }
    }

    package enum Persistence: Sendable {
        case stopsLikeAPhone
        /// Goes on behind a failed step where something is left to find out.
        case reportsEverything
    }

    package init(downloads: URL, trusting authorities: [Certificate] = [], now: Date = Date()) {
        self.downloads = downloads
        self.authorities = authorities
        self.now = now
    }
}
