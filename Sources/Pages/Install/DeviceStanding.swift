import Bundles
import Foundation
import Identifiers
import Inspection
import Releases

/// What the page tells one device that the build does not install on it: why, and what happens next.
struct DeviceStanding: Sendable {
    let title: String
    let tone: String
    let reasons: [String]
    let steps: [String]
    /// The same with what is done and what is under way; nil where that is not known.
    let way: DeviceSteps?
    /// The install link after all, where the page may know less than the tester.
    let tryLink: String?

    /// - Returns: nil when the build installs on the device.
    init?(
        of tester: InstallPage.TesterDevice,
        _ build: InstallPage.Build,
        link: String,
        at date: Date,
    ) {
        if tester.device.state == .disabled {
            title = "Your team has disabled this device"
            tone = "warn"
            reasons = [
                "Your team disabled it on \(Wording.day(tester.device.stateSince)), so this page "
                    + "no longer offers it builds."
            ]
            steps = ["If that is a mistake, ask your team for a new invitation."]
            way = nil
            tryLink = nil
            return
        }
        let facts = tester.facts
        let findings = build.report.verdict(for: facts, at: date).reasons
        guard !findings.isEmpty else { return nil }
        let parts = findings.map { Part($0, facts, tester.device, build) }
            .sorted { $0.kind < $1.kind }
        let kind = parts[0].kind
        way = kind == .missing ? tester.steps.flatMap { $0.isReady ? nil : $0 } : nil
        let ofServer = way.flatMap { $0.isByServer ? $0 : nil }
        title = ofServer?.title ?? kind.title
        tone = kind == .missing ? way?.tone ?? "wait" : "warn"
        reasons =
            ofServer == nil || tester.device.state == .enrolled
            ? Self.once(parts.map(\.reason))
            : ["This build does not include your device yet."]
        // An older system is repaired by the tester, and then the other reasons remain.
        steps = Self.once(parts.flatMap(\.steps))
        tryLink = parts.allSatisfy { $0.kind == .system } ? link : nil
    }

    /// How it is with the device, for screen readers, with a full stop.
    var news: String {
        way.flatMap { $0.isByServer ? $0.news : nil } ?? Wording.sentence(title)
    }

    private static func once(_ texts: [String]) -> [String] {
        texts.enumerated().filter { !texts[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// What is gravest comes first.
    private enum Kind: Int, Comparable {
        case family, system, other, missing

        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }

        var title: String {
            switch self {
            case .family: "Not for this kind of device"
            case .system: "This device needs a newer iOS first"
            case .other: "This build does not install on this device"
            case .missing: "This build does not include this device yet"
            }
        }
    }

    private struct Part {
        let kind: Kind
        let reason: String
        let steps: [String]

        init(
            _ finding: Finding,
            _ facts: DeviceFacts,
            _ device: Device,
            _ build: InstallPage.Build,
        ) {
            switch finding.id {
            case "device.not-in-profile", "device.not-in-nested-profile":
                kind = .missing
                (reason, steps) = Self.missing(device, build.release)
            case "device.os-too-old":
                let needed = build.release.minimumOS ?? "a newer version"
                let own = facts.os.map { " This device last reported iOS \($0)." } ?? ""
                kind = .system
                reason = "The app needs iOS \(needed) or later.\(own)"
                steps = [
                    "Open Settings › General › Software Update and install what it offers.",
                    "Come back to this page.",
                ]
            case "device.family-unsupported":
                let families = build.release.families.map(\.title).joined(separator: " and ")
                let own = device.modelName ?? device.family.title
                kind = .family
                reason = "The app is made for \(families); this device is: \(own)."
                steps = ["Open this page on another device."]
            default:
                kind = .other
                reason = finding.message
                steps = ["Send your team the text above; they have to change the build."]
            }
        }

        private static func missing(
            _ device: Device,
            _ release: Release,
        ) -> (reason: String, steps: [String]) {
            let joined = device.history.first { $0.state != .invited }?.date ?? device.added
            let day = Wording.day(joined)
            if device.state == .enrolled {
                return (
                    "This device was enrolled on \(day) and is waiting for your team to approve it.",
                    [
                        "Your team approves the device.", "They publish a build that includes it.",
                        "The Install button then appears on this page.",
                    ],
                )
            }
            return (
                joined > release.published
                    ? "Your device was added on \(day), after this build was published."
                    : "This build was made without your device.",
                [
                    "Your team publishes a new build that includes this device.",
                    "The Install button then appears on this page.",
                ],
            )
        }
    }
}
