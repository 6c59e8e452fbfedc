package import Foundation

/// The steps of a device from its enrolment to the Install button, for its tester.
package struct DeviceSteps: Sendable {
    package enum Step: Int, Sendable, CaseIterable {
        case approval
        /// Left out if the server does not work in a developer account.
        case registration
        case build
        case ready
    }

    /// The state of the current step.
    package struct Present: Sendable {
        package let step: Step
        /// The explanation, in whole sentences.
        package let sentence: String
        package let since: Date?
        /// Whether an admin has to act before the device can proceed.
        package let isStopped: Bool

        package init(_ step: Step, _ sentence: String, since: Date?, isStopped: Bool) {
            self.step = step
            self.sentence = sentence
            self.since = since
            self.isStopped = isStopped
        }

        /// Returns the sentence; nil if it says no more than the title above it, as for a device that
        /// waits for approval.
        func sentence(after title: String, in words: Words) -> String? {
            let isSaid = step == .approval && !isStopped
            return isSaid || sentence == words.sentence(title) ? nil : sentence
        }
    }

    /// Which steps the server does.
    package struct Work: Sendable, Equatable {
        /// Whether the server registers devices with Apple.
        package let isAtApple: Bool
        /// Whether the server signs the build again by itself.
        package let isOnBuild: Bool

        package init(isAtApple: Bool, isOnBuild: Bool) {
            self.isAtApple = isAtApple
            self.isOnBuild = isOnBuild
        }

        /// People do all steps.
        package static let byHand = Work(isAtApple: false, isOnBuild: false)
    }

    let present: Step
    /// Whether the server does any step by itself.
    let isByServer: Bool
    let isStopped: Bool
    /// The current step in a few words.
    let title: String
    /// The current step with its explanation, for screen readers.
    let news: String
    /// The heading of the list on a separate page.
    let heading: String
    let rows: [Row]

    /// - Parameters:
    ///   - present: the current step.
    ///   - work: the steps that the server does.
    ///   - isApproved: whether the team has approved the device; a build may include a device that is not
    ///     approved.
    ///   - words: the page's language, which is also that of `present`.
    package init(_ present: Present, by work: Work, isApproved: Bool, in words: Words) {
        self.present = present.step
        isByServer = work.isAtApple
        isStopped = present.isStopped
        heading = words.text(present.step == .ready ? "way.done" : "next.title")
        rows = Step.allCases.filter { $0 != .registration || work.isAtApple }
            .filter { isApproved || present.step != .ready || $0.rawValue >= Step.build.rawValue }
            .map { Row($0, present, by: work, in: words) }
        title = words.text(Row.title(of: present.step, .now, by: work))
        let sentence = isByServer ? present.sentence(after: title, in: words) : nil
        news = words.paragraph([words.sentence(title), sentence].compactMap(\.self))
    }

    package var isReady: Bool { present == .ready }

    var tone: String { isStopped ? "warn" : isReady ? "good" : "wait" }

    /// One step in the list.
    struct Row: Sendable {
        enum Kind: String {
            case done, now, stopped, later
        }

        let kind: String
        /// The text in place of the mark, for screen readers.
        let mark: String
        let title: String
        let isCurrent: Bool
        let sentence: String?
        let since: String?

        init(_ step: Step, _ present: Present, by work: Work, in words: Words) {
            let kind: Kind =
                step.rawValue < present.step.rawValue || present.step == .ready
                ? .done : step != present.step ? .later : present.isStopped ? .stopped : .now
            self.kind = kind.rawValue
            title = words.text(Self.title(of: step, kind, by: work))
            isCurrent = kind == .now || kind == .stopped
            mark = words.text("way.\(kind.rawValue)")
            sentence =
                isCurrent && work.isAtApple ? present.sentence(after: title, in: words) : nil
            since =
                isCurrent
                ? present.since.map {
                    words.text("way.since", ["date": words.moment($0)])
                } : nil
        }

        /// Returns the catalogue key of a step's title.
        static func title(of step: Step, _ kind: Kind, by work: Work) -> String {
            switch (step, kind) {
            case (.approval, .done): "way.approval.done"
            case (.approval, _):
                work.isAtApple ? "way.approval.waiting" : "way.approval.hand"
            case (.registration, .done): "way.registration.done"
            case (.registration, .later): "way.registration.later"
            case (.registration, _): "way.registration.now"
            case (.build, .done): "way.build.done"
            case (.build, .later):
                work.isOnBuild ? "way.build.later.server" : "way.build.later.hand"
            case (.build, _):
                work.isOnBuild ? "way.build.server" : "way.build.hand"
            case (.ready, .done), (.ready, .now): "way.ready.done"
            case (.ready, _): "way.ready.later"
            }
        }
    }
}
