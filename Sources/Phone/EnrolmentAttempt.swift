/// Everything that happened between an invitation and the page that says what became of it.
package struct EnrolmentAttempt: Equatable, Sendable {
    /// What the phone was pointed at.
    package let url: String
    package let steps: [Step]
    /// Where Safari was sent in the end; nil when it did not come to that.
    package let arrival: Arrival?

    /// A page that is shown once the profile has done its work, for better or worse.
    package struct Arrival: Equatable, Sendable {
        package let url: String
        package let html: String
    }

    /// Whether a phone gets to the end; what became of the device is for the page to say.
    package var arrives: Bool { arrival != nil && failure == nil }

    /// The first step that stops a phone.
    package var failure: Step? { steps.first { $0.outcome == .failed } }

    package var faults: [Fault] { steps.flatMap(\.faults) }

    /// The last step of a name; a step about several hosts is there once for each.
    package func step(_ name: StepName) -> Step? { steps.last { $0.name == name } }
}
