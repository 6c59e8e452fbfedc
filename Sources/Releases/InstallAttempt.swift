import Bundles
package import Essentials
package import Identifiers

/// What a phone fetched of one release between a tap on Install and its silence: one line of
/// `installs/{year}-{month}.jsonl`.
///
/// iOS reports nothing to a server, so the result of an install is derived from the files it requested.
package struct InstallAttempt: Codable, Sendable, Equatable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        /// The whole IPA went out: the app is there, or iOS refused what it had fetched.
        case downloaded
        /// The phone read the manifest and never asked for the IPA.
        case manifestOnly
        /// A part of the IPA went out, and the phone did not come back for the rest.
        case cutShort

        /// Also reads `installed`, the former name of ``downloaded``, which journals still contain.
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
    /// The device's reference, 24 hexadecimal digits; nil for one that the server does not know.
    package let device: String?
    /// The person who signed in to install it, on a device that the server does not know; nil for no one.
    package let person: String?
    /// When the phone first asked.
    package let began: Date
    /// When it was last seen.
    package let ended: Date
    package let outcome: Outcome
    /// Bytes of the IPA that went out, each counted once.
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

    /// What happened, for people.
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
