package import Foundation
package import Inspection
import Releases

/// The link to the page of a release or channel, with what its recipients should know.
package struct LinkDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let app, title, release, version, build: String
    /// Nil for the page of one release.
    @OrNull package var channel: String?
    /// The URLs of the install page and of its QR code as SVG.
    package let url, qrURL: String
    /// Whether the page, and so the QR code, can be opened without signing in.
    package let isOpen: Bool
    /// When the link becomes invalid with its channel; nil if it does not.
    @OrNull package var ends: Date?
    @OrNull package var installsUntil: Date?
    /// How many of the devices in use can install it.
    package let devices: RegisterCount
    @OrNull package var tag: String?
    @OrNull package var commit: String?
    /// Sentences that explain why some devices cannot install it.
    package let warnings: [String]

    package init(
        _ card: ReleaseCardDocument,
        title: String,
        channel: String?,
        url: String,
        qrURL: String,
        isOpen: Bool,
        ends: Date?,
        warnings: [String],
    ) {
        let entry = card.release
        app = entry.app
        self.title = title
        release = entry.release
        version = entry.version
        build = entry.build
        self.channel = channel
        self.url = url
        self.qrURL = qrURL
        self.isOpen = isOpen
        self.ends = ends
        installsUntil = card.installsUntil
        devices = card.devices
        tag = entry.tag
        commit = entry.commit
        self.warnings = warnings
    }
}
