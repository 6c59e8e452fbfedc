import Bundles
package import Essentials
package import Identifiers

/// An attempt to install a release, from a tap on Install until the phone stops sending requests: one line
/// of `installs/{year}-{month}.jsonl`.
///
/// iOS reports nothing to a server, so the result of an install is derived from the files it requested.
package struct InstallAttempt: Codable, Sendable, Equatable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        /// The whole IPA was sent: the app is installed, or iOS rejected it after the download.
        case downloaded
        /// The phone fetched the manifest but never the IPA.
        case manifestOnly
        /// Part of the IPA was sent, and the phone never requested the rest.
        case cutShort

        /// Also decodes `installed`, the former name of ``downloaded``, which journals still contain.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let outcome = Outcome(rawValue: text == "installed" ? "downloaded" : text) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "\(text) is not an outcome of an install",
                )
            }
            self = outcome
        }
    }

    package let app: BundleIdentifier
    package let release: ReleaseIdentifier
    /// The device's reference, 24 hexadecimal digits; nil for a device that the server does not know.
    package let device: String?
    /// The person who signed in to install it on an unknown device; nil for none.
    package let person: String?
    /// The time of the phone's first request.
    package let began: Date
    /// The time of its last request.
    package let ended: Date
    package let outcome: Outcome
    /// The number of bytes of the IPA that were sent, each counted once.
    package let sent: Int

    package init(
        app: BundleIdentifier,
        release: ReleaseIdentifier,
        device: String?,
        person: String? = nil,
        began: Date,
        ended: Date,
        outcome: Outcome,
        sent: Int,
    ) {
        self.app = app
        self.release = release
        self.device = device
        self.person = person
        self.began = began
        self.ended = ended
        self.outcome = outcome
        self.sent = sent
    }

    /// A description for people.
    package var sentence: String {
        switch outcome {
        case .downloaded:
            "The device downloaded the whole app (\(Wording.size(sent)))."
        case .manifestOnly:
            "The device asked about the app but never downloaded it."
        case .cutShort:
            sent == 0
                ? "The download stopped before its first byte."
                : "The download stopped after \(Wording.size(sent))."
        }
    }
}
