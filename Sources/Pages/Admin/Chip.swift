import Foundation
import Identifiers
import Inspection
import Releases

/// A word or two in a coloured lozenge.
struct Chip: Sendable, Equatable {
    let text: String
    /// `good`, `warn`, `bad`, `quiet`, or empty for the accent.
    let tone: String

    init(_ text: String, tone: String = "quiet") {
        self.text = text
        self.tone = tone
    }
}

extension Chip {
    init(_ state: Device.State) {
        switch state {
        case .invited: self.init("Invited")
        case .enrolled: self.init("Pending approval", tone: "warn")
        case .approved: self.init("Not yet at Apple", tone: "")
        case .registered: self.init("Registered", tone: "good")
        case .disabled: self.init("Disabled")
        }
    }

    init(_ verdict: Verdict) {
        switch verdict {
        case .installs: self.init("Installs", tone: "good")
        case .blocked: self.init("Does not install", tone: "bad")
        case .unknown: self.init("Unknown", tone: "warn")
        }
    }

    init(_ severity: Severity) {
        switch severity {
        case .blocks: self.init("Blocks", tone: "bad")
        case .warns: self.init("Warning", tone: "warn")
        case .notes: self.init("Note")
        }
    }

    init(_ access: AppRecord.Access) {
        switch access {
        case .open: self.init("Open")
        case .passphrase: self.init("Passphrase")
        case .enrolled: self.init("Approved devices")
        case .signIn: self.init("Sign-in")
        case .groups(let names):
            self.init("Groups: " + names.names.map(\.rawValue).joined(separator: ", "))
        }
    }

    init(_ outcome: InstallAttempt.Outcome) {
        switch outcome {
        case .downloaded: self.init("Downloaded", tone: "good")
        case .manifestOnly: self.init("Never downloaded", tone: "bad")
        case .cutShort: self.init("Interrupted", tone: "bad")
        }
    }

    /// Returns chips for what is wrong with a release on every device: withdrawn, expired, or expiring
    /// soon.
    static func state(of release: Release, at date: Date) -> [Chip] {
        if release.withdrawal != nil { return [Chip("Withdrawn", tone: "bad")] }
        guard let until = release.installsUntil else { return [] }
        let distance = Wording.distance(to: until, from: date)
        if until <= date { return [Chip("Expired \(distance)", tone: "bad")] }
        guard Wording.days(from: date, to: until) <= 30 else { return [] }
        return [Chip("Expires \(distance)", tone: "warn")]
    }

    /// Returns a chip for a pinned release, which retention rules never delete; none for others.
    static func pin(of release: Release) -> [Chip] { release.pin == nil ? [] : [Chip("Pinned")] }

    /// Creates the chip of a channel's end, to the day.
    init(end: Date, at date: Date) {
        self.init(end <= date ? "Ended" : "Ends \(Wording.distance(to: end, from: date))")
    }

    /// Returns the channels that offer a release.
    static func channels(of app: AppRecord, offering release: ReleaseIdentifier) -> [Chip] {
        app.channels.filter { $0.value == release }.keys.sorted()
            .map { Chip($0.rawValue, tone: "") }
    }
}
