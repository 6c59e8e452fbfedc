package import Essentials
import Identifiers

/// What one tester said went wrong with an app.
///
/// No UDID stands here; a device is described by what people call it.
package struct Feedback: Codable, Sendable, Equatable {
    /// Characters that a tester may send, counted in UTF-16 as a form of HTML counts them.
    package static let longestText = 4_000

    /// What the server knows of a tester and the device.
    package struct Sender: Codable, Sendable, Equatable {
        /// Who signed in as a tester; nil for no one, and in documents of earlier versions, whose ``name`` it may be.
        package let person: String?
        /// As the register calls it; nil for a device that the server does not know.
        package let name: String?
        /// Such as `iPhone 14 Pro`.
        package let model: String?
        /// The version of iOS.
        package let os: String?

        package init(person: String? = nil, name: String?, model: String?, os: String?) {
            self.person = person
            self.name = name
            self.model = model
            self.os = os
        }

        /// The device, such as `Ana’s iPhone, iPhone 14 Pro, iOS 18.1`; nil where nothing is known.
        package var words: String? {
            let parts = [name, model, os.map { "iOS \($0)" }].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }
    }

    /// 16 hexadecimal digits; the same for the same words from one browser, where the device is not known.
    package let identifier: String
    package let date: Date
    package let text: String
    /// The build that the tester has, or whose page the form was on.
    package let release: ReleaseIdentifier
    package private(set) var sender: Sender
    /// The device's reference, 24 hexadecimal digits; nil for one that the server does not know.
    package private(set) var device: String?

    /// - Parameters:
    ///   - identifier: 16 hexadecimal digits.
    ///   - date: now.
    ///   - text: as ``text(of:)`` makes it.
    ///   - release: the build that the tester has.
    ///   - sender: what the server knows of the device.
    ///   - device: the device's reference.
    package init(
        identifier: String,
        date: Date,
        text: String,
        release: ReleaseIdentifier,
        sender: Sender,
        device: String?,
    ) {
        self.identifier = identifier
        self.date = date
        self.text = text
        self.release = release
        self.sender = sender
        self.device = device
    }

    /// What is kept of a text that a stranger typed: lines without what controls a terminal or reverses the
    /// text around it, and without device identifiers.
    package static func text(of raw: String) -> String {
        let lines = raw.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        let scalars = lines.unicodeScalars.filter { scalar in
            if scalar == "\n" || scalar == "\t" { return true }
            if Self.overrides.contains(scalar.value) { return false }
            return scalar.properties.generalCategory != .control
        }
        var kept = String(String.UnicodeScalarView(scalars))[...]
        while kept.first?.isWhitespace == true { kept.removeFirst() }
        while kept.last?.isWhitespace == true { kept.removeLast() }
        return DeviceUDID.masked(in: String(kept))
    }

    /// Marks that reverse or embed the direction of text (Unicode Standard Annex 9).
    private static let overrides: Set<UInt32> = Set(0x202A...0x202E).union(0x2066...0x2069)

    /// Forgets which device it came from.
    mutating func forgetSender() {
        sender = Sender(name: nil, model: sender.model, os: sender.os)
        device = nil
    }
}

/// What testers said of one app: `feedback/{bundle-id}.json`.
package struct FeedbackRecord: Codable, Sendable, Equatable {
    /// How many are kept; the oldest go.
    package static let mostEntries = 200
    /// How many one device sends within an hour.
    package static let mostOfDevice = 5

    package var schema = 1
    /// The oldest first.
    package private(set) var entries: [Feedback] = []
    /// How many went because there were too many.
    package private(set) var dropped = 0

    package init() {}

    /// Whether a device has sent as many within an hour as it may.
    package func isFull(for device: String, at date: Date) -> Bool {
        entries.count { $0.device == device && date.timeIntervalSince($0.date) < 3600 }
            >= Self.mostOfDevice
    }

    /// Adds what a tester said, unless the same device or browser sent the same a moment ago, as by a second
    /// tap.
    package mutating func add(_ feedback: Feedback) {
        let isRepeated = entries.contains {
            if $0.identifier == feedback.identifier { return true }
            return feedback.device != nil && $0.device == feedback.device
                && $0.text == feedback.text && $0.release == feedback.release
                && feedback.date.timeIntervalSince($0.date) < 600
        }
        guard !isRepeated else { return }
        entries.append(feedback)
        let surplus = max(0, entries.count - Self.mostEntries)
        entries.removeFirst(surplus)
        dropped += surplus
    }

    /// - Returns: what was deleted; nil where there is none of that name.
    package mutating func delete(_ identifier: String) -> Feedback? {
        guard let place = entries.firstIndex(where: { $0.identifier == identifier }) else {
            return nil
        }
        return entries.remove(at: place)
    }

    /// Forgets which entries came from a device.
    package mutating func forget(_ device: String) {
        for place in entries.indices where entries[place].device == device {
            entries[place].forgetSender()
        }
    }
}
