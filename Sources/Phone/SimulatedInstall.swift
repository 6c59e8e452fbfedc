package import Cryptography
package import Foundation

/// The steps from the tap on Install to the installed app or a failure.
package struct SimulatedInstall: Equatable, Sendable {
    /// The address with which the attempt began.
    package let url: String
    package let steps: [Step]
    /// The downloaded app; nil when it did not arrive completely.
    package let installation: Installation?

    package init(url: String, steps: [Step], installation: Installation?) {
        self.url = url
        self.steps = steps
        self.installation = installation
    }

    /// Whether the app would be installed on a real phone.
    package var installs: Bool { installation != nil && failure == nil }

    /// The first step that stops a phone.
    package var failure: Step? { steps.first { $0.outcome == .failed } }

    package var faults: [Fault] { steps.flatMap(\.faults) }

    /// The last step with a name; a step that concerns several hosts occurs once for each.
    package func step(_ name: StepName) -> Step? { steps.last { $0.name == name } }
}

/// A completely downloaded app.
package struct Installation: Equatable, Sendable, Encodable {
    package let bundleIdentifier: String
    /// `CFBundleShortVersionString`.
    package let version: String?
    /// `CFBundleVersion`.
    package let build: String?
    package let title: String
    /// The size of the IPA in bytes.
    package let bytes: Int
    package let sha256: SHA256Digest
    /// The IPA on disk, which the caller must delete.
    package let file: URL
    /// The number of times that the download was interrupted and resumed.
    package let resumptions: Int
}

/// The output of `ota doctor --json`.
extension SimulatedInstall: Encodable {
    private enum Key: String, CodingKey {
        case schema, url, installs, steps, installation
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(url, forKey: .url)
        try container.encode(installs, forKey: .installs)
        try container.encode(steps, forKey: .steps)
        try container.encodeIfPresent(installation, forKey: .installation)
    }
}
