package import Essentials
import Identifiers

/// A tester's feedback about an app.
///
/// It never contains a UDID; a device is described by its name and model.
package struct Feedback: Codable, Sendable, Equatable {
    /// The maximum length of the text in UTF-16 code units, as HTML forms count it.
    package static let longestText = 4_000

    /// What the server knows about a tester and the device.
    package struct Sender: Codable, Sendable, Equatable {
        /// The signed-in tester; nil if there is none, and in documents of earlier versions, where ``name``
        /// may be the tester.
        package let person: String?
        /// The device's name in the register; nil for a device that the server does not know.
        package let name: String?
        /// The product's name, such as `iPhone 14 Pro`.
        package let model: String?
        /// The version of iOS.
        package let os: String?

        package init(person: String? = nil, name: String?, model: String?, os: String?) {
            self.person = person
            self.name = name
            self.model = model
            self.os = os
        }

        /// The device, such as `Ana’s iPhone, iPhone 14 Pro, iOS 18.1`; nil if nothing is known.
        package var words: String? {
            let parts = [name, model, os.map { "iOS \($0)" }].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }
    }

    /// 16 hexadecimal digits; without a known device, the same text from the same browser gets the same
    /// ones.
    package let identifier: String
    package let date: Date
    package let text: String
    /// The build that the tester has installed, or whose page had the form.
    package let release: ReleaseIdentifier
    package private(set) var sender: Sender
    /// The device's reference, 24 hexadecimal digits; nil for a device that the server does not know.
    package private(set) var device: String?

    /// - Parameters:
    ///   - identifier: 16 hexadecimal digits.
    ///   - date: the current time.
    ///   - text: a result of ``text(of:)``.
    ///   - release: the build that the tester has installed.
    ///   - sender: what the server knows about the tester and the device.
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

    /// Cleans a text from a stranger: removes control characters and characters that change the text
    /// direction, and masks device identifiers.
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

    /// Characters that override or isolate the text direction (Unicode Standard Annex 9).
    private static let overrides: Set<UInt32> = Set(0x202A...0x202E).union(0x2066...0x2069)

    /// Removes the tester and the device.
    mutating func forgetSender() {
        sender = Sender(name: nil, model: sender.model, os: sender.os)
        device = nil
    }
}

/// The feedback about one app: `feedback/{bundle-id}.json`.
package struct FeedbackRecord: Codable, Sendable, Equatable {
    /// The most entries that are kept; the oldest are deleted.
    package static let mostEntries = 200
    /// The most entries per device and hour.
    package static let mostOfDevice = 5

    package var schema = 1
    /// Oldest first.
    package private(set) var entries: [Feedback] = []
    /// The number of entries that were deleted because there were too many.
    package private(set) var dropped = 0

    package init() {}

    /// Whether a device has sent as much within an hour as it may.
    package func isFull(for device: String, at date: Date) -> Bool {
        entries.count { $0.device == device && date.timeIntervalSince($0.date) < 3600 }
            >= Self.mostOfDevice
    }

    /// Adds feedback, unless the same device or browser has just sent the same, for example by a double
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

    /// - Returns: the deleted entry; nil if there is none with this identifier.
    package mutating func delete(_ identifier: String) -> Feedback? {
        guard let place = entries.firstIndex(where: { $0.identifier == identifier }) else {
            return nil
        }
        return entries.remove(at: place)
    }

    /// Removes a device from all entries.
    package mutating func forget(_ device: String) {
        for place in entries.indices where entries[place].device == device {
            entries[place].forgetSender()
        }
    }
}
