import Bundles
import Foundation
import Identifiers
import Inspection
import Releases

/// The explanation for a device on which the build does not install: why, and what happens next.
struct DeviceStanding: Sendable {
    let title: String
    let tone: String
    let reasons: [Reason]
    let steps: [String]
    /// The steps with the state of each; nil if that is unknown.
    let way: DeviceSteps?
    /// The install link nevertheless, if the page may know less than the tester.
    let tryLink: String?

    /// - Returns: nil if the build installs on the device.
    init?(
        of tester: InstallPage.TesterDevice,
        _ build: InstallPage.Build,
        link: String,
        at date: Date,
        in words: Words,
    ) {
        if tester.device.state == .disabled {
            title = words.text("standing.disabled.title")
            tone = "warn"
            reasons = [
                Reason(
                    words.text(
                        "standing.disabled.reason",
                        ["date": words.day(tester.device.stateSince)],
                    )
                )
            ]
            steps = [words.text("standing.disabled.step")]
            way = nil
            tryLink = nil
            return
        }
        let facts = tester.facts
        let findings = build.report.verdict(for: facts, at: date).reasons
        guard !findings.isEmpty else { return nil }
        let parts = findings.map { Part($0, facts, tester.device, build, in: words) }
            .sorted { $0.kind < $1.kind }
        let kind = parts[0].kind
        way = kind == .missing ? tester.steps.flatMap { $0.isReady ? nil : $0 } : nil
        let ofServer = way.flatMap { $0.isByServer ? $0 : nil }
        title = ofServer?.title ?? words.text(kind.titleKey)
        tone = kind == .missing ? way?.tone ?? "wait" : "warn"
        reasons =
            ofServer == nil || tester.device.state == .enrolled
            ? Self.once(parts.map(\.reason))
            : [Reason(words.text("standing.excluded"))]
        // The tester can update an older system, after which the other reasons remain.
        steps = Self.once(parts.flatMap(\.steps))
        tryLink = parts.allSatisfy { $0.kind == .system } ? link : nil
    }

    /// Returns the device's state for screen readers, with a full stop.
    func news(in words: Words) -> String {
        way.flatMap { $0.isByServer ? $0.news : nil } ?? words.sentence(title)
    }

    struct Reason: Equatable, Sendable {
        let text: String
        /// Whether it is a finding, which is in English even on a page in another language.
        let isEnglish: Bool

        init(_ text: String, isEnglish: Bool = false) {
            self.text = text
            self.isEnglish = isEnglish
        }
    }

    private static func once<Text: Equatable>(_ texts: [Text]) -> [Text] {
        texts.enumerated().filter { !texts[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// The gravest kind comes first.
    private enum Kind: Int, Comparable {
        case family, system, other, missing

        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }

        var titleKey: String {
            switch self {
            case .family: "standing.family.title"
            case .system: "standing.system.title"
            case .other: "standing.other.title"
            case .missing: "standing.missing.title"
            }
        }
    }

    private struct Part {
        let kind: Kind
        let reason: Reason
        let steps: [String]

        init(
            _ finding: Finding,
            _ facts: DeviceFacts,
            _ device: Device,
            _ build: InstallPage.Build,
            in words: Words,
        ) {
            switch finding.id {
            case "device.not-in-profile", "device.not-in-nested-profile":
                kind = .missing
                let (text, steps) = Self.missing(device, build.release, in: words)
                (reason, self.steps) = (Reason(text), steps)
            case "device.os-too-old":
                let needed = build.release.minimumOS.map {
                    words.text("standing.system.reason", ["version": $0])
                }
                let own = facts.os.map {
                    words.text("standing.system.own", ["version": "\($0)"])
                }
                kind = .system
                reason = Reason(
                    words.paragraph(
                        [needed ?? words.text("standing.system.newer"), own].compactMap(\.self)
                    )
                )
                steps = [
                    words.text("standing.system.update"), words.text("standing.system.back"),
                ]
            case "device.family-unsupported":
                let families = words.list(build.release.families.map(\.title))
                let own = device.modelName ?? device.family.title
                kind = .family
                reason = Reason(
                    words.text(
                        "standing.family.reason",
                        ["families": families, "device": own],
                    )
                )
                steps = [words.text("standing.family.step")]
            default:
                kind = .other
                reason = Reason(finding.message, isEnglish: words.language != .english)
                steps = [words.text("standing.other.step")]
            }
        }

        private static func missing(
            _ device: Device,
            _ release: Release,
            in words: Words,
        ) -> (reason: String, steps: [String]) {
            let joined = device.history.first { $0.state != .invited }?.date ?? device.added
            let day = words.day(joined)
            if device.state == .enrolled {
                return (
                    words.text("standing.missing.waiting", ["date": day]),
                    [
                        words.text("standing.missing.approve"),
                        words.text("standing.missing.publish"),
                        words.text("standing.missing.button"),
                    ],
                )
            }
            return (
                joined > release.published
                    ? words.text("standing.missing.later", ["date": day])
                    : words.text("standing.missing.without"),
                [
                    words.text("standing.missing.build"), words.text("standing.missing.button"),
                ],
            )
        }
    }
}
