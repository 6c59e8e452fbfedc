package import Cryptography
package import Foundation

/// Everything that happened between the tap on Install and the app, or its failure.
package struct SimulatedInstall: Equatable, Sendable {
    /// What the phone was pointed at.
    package let url: String
    package let steps: [Step]
    /// The app as it arrived; nil when nothing whole did.
    package let installation: Installation?

    package init(url: String, steps: [Step], installation: Installation?) {
        self.url = url
        self.steps = steps
        self.installation = installation
    }

    /// Whether a real phone would have the app now.
    package var installs: Bool { installation != nil && failure == nil }

    /// The first step that stops a phone.
    package var failure: Step? { steps.first { $0.outcome == .failed } }

    package var faults: [Fault] { steps.flatMap(\.faults) }

    /// The last step of a name; a step about several hosts is there once for each.
    package func step(_ name: StepName) -> Step? { steps.last { $0.name == name } }
}

/// An app that arrived whole.
package struct Installation: Equatable, Sendable, Encodable {
    package let bundleIdentifier: String
    /// `CFBundleShortVersionString`.
    package let version: String?
    /// `CFBundleVersion`.
    package let build: String?
    package let title: String
    /// Size of the IPA.
    package let bytes: Int
    package let sha256: SHA256Digest
    /// The IPA on disk; the caller removes it.
    package let file: URL
    /// How often the download was cut and resumed.
    package let resumptions: Int
}

/// `ota doctor --json`.
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
