/// The steps from an invitation to the result page.
package struct EnrolmentAttempt: Equatable, Sendable {
    /// The address with which the attempt began.
    package let url: String
    package let steps: [Step]
    /// The page to which Safari was finally redirected; nil when an earlier step failed.
    package let arrival: Arrival?

    /// The page shown after the profile was processed, with or without success.
    package struct Arrival: Equatable, Sendable {
        package let url: String
        package let html: String
    }

    /// Whether a phone completes all steps; the page tells the device's state.
    package var arrives: Bool { arrival != nil && failure == nil }

    /// The first step that stops a phone.
    package var failure: Step? { steps.first { $0.outcome == .failed } }

    package var faults: [Fault] { steps.flatMap(\.faults) }

    /// The last step with a name; a step that concerns several hosts occurs once for each.
    package func step(_ name: StepName) -> Step? { steps.last { $0.name == name } }
}
