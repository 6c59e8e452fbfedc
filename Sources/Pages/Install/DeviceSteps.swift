package import Foundation
import Releases

/// The way of a device from its enrolment to the Install button, for its tester.
package struct DeviceSteps: Sendable {
    package enum Step: Int, Sendable, CaseIterable {
        case approval
        /// Left out where the server does not work in a developer account.
        case registration
        case build
        case ready
    }

    /// How the present step stands.
    package struct Present: Sendable {
        package let step: Step
        /// What is said of it, whole sentences.
        package let sentence: String
        package let since: Date?
        /// Whether nothing goes on before an admin has done something.
        package let isStopped: Bool

        package init(_ step: Step, _ sentence: String, since: Date?, isStopped: Bool) {
            self.step = step
            self.sentence = sentence
            self.since = since
            self.isStopped = isStopped
        }

        /// The sentence; nil where it says no more than the title above it.
        func sentence(after title: String) -> String? {
            sentence == Wording.sentence(title) ? nil : sentence
        }
    }

    /// Who does which step.
    package struct Work: Sendable, Equatable {
        /// Whether the server registers devices with Apple.
        package let isAtApple: Bool
        /// Whether the server signs the build again by itself.
        package let isOnBuild: Bool

        package init(isAtApple: Bool, isOnBuild: Bool) {
            self.isAtApple = isAtApple
            self.isOnBuild = isOnBuild
        }

        /// People do all of it.
        package static let byHand = Work(isAtApple: false, isOnBuild: false)
    }

    let present: Step
    /// Whether the server does anything of it by itself.
    let isByServer: Bool
    let isStopped: Bool
    /// The present step in a few words.
    let title: String
    /// The same with what is said of it, for screen readers.
    let news: String
    /// Above the list on a page of its own.
    let heading: String
    let rows: [Row]

    /// - Parameters:
    ///   - present: where the device is.
    ///   - work: who does which step.
    ///   - isApproved: whether the team has approved the device; a build may include one that it has not.
    package init(_ present: Present, by work: Work, isApproved: Bool) {
        self.present = present.step
        isByServer = work.isAtApple
        isStopped = present.isStopped
        heading = present.step == .ready ? "Done" : "What happens next"
        rows = Step.allCases.filter { $0 != .registration || work.isAtApple }
            .filter { isApproved || present.step != .ready || $0.rawValue >= Step.build.rawValue }
            .map { Row($0, present, by: work) }
        title = Row.title(of: present.step, .now, by: work)
        let sentence = isByServer ? present.sentence(after: title) : nil
        news = [Wording.sentence(title), sentence].compactMap(\.self).joined(separator: " ")
    }

    package var isReady: Bool { present == .ready }

    var tone: String { isStopped ? "warn" : isReady ? "good" : "wait" }

    /// One step in the list.
    struct Row: Sendable {
        enum Kind: String {
            case done, now, stopped, later
        }

        let kind: String
        /// What stands for the mark before it where nobody sees that.
        let mark: String
        let title: String
        let isCurrent: Bool
        let sentence: String?
        let since: String?

        init(_ step: Step, _ present: Present, by work: Work) {
            let kind: Kind =
                step.rawValue < present.step.rawValue || present.step == .ready
                ? .done : step != present.step ? .later : present.isStopped ? .stopped : .now
            self.kind = kind.rawValue
            title = Self.title(of: step, kind, by: work)
            isCurrent = kind == .now || kind == .stopped
            mark =
                switch kind {
                case .done: "Done"
                case .now: "Now"
                case .stopped: "Stopped"
                case .later: "Later"
                }
            sentence = isCurrent && work.isAtApple ? present.sentence(after: title) : nil
            since = isCurrent ? present.since.map { "Since \(Wording.moment($0))" } : nil
        }

        static func title(of step: Step, _ kind: Kind, by work: Work) -> String {
            switch (step, kind) {
            case (.approval, .done): "Your team approved this device"
            case (.approval, _):
                work.isAtApple
                    ? "Waiting for your team’s approval" : "Your team approves the device"
            case (.registration, .done): "Added at Apple"
            case (.registration, .later): "Apple adds the device"
            case (.registration, _): "Being added at Apple"
            case (.build, .done): "The build includes this device"
            case (.build, .later):
                work.isOnBuild
                    ? "The build is prepared for it" : "They publish a build that includes it"
            case (.build, _):
                work.isOnBuild
                    ? "The build is being prepared"
                    : "Your team publishes a new build that includes this device"
            case (.ready, .done), (.ready, .now): "Ready to install"
            case (.ready, _): "The Install button then appears on this page"
            }
        }
    }
}
