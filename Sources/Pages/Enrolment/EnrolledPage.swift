/// Where a device ends after it enrolled, or was refused.
package struct EnrolledPage: Page {
    package let chrome: PageChrome
    let title: String
    let device: String?
    let message: String
    /// As in `Problem`, where the device was refused.
    let problem: String?
    let tone: String
    let next: Next?
    let action: MessagePage.Action?

    struct Next: Sendable {
        let steps: [String]
    }

    /// What became of the enrolment.
    package enum Outcome: Sendable {
        /// The team has to look at it first.
        case waiting
        /// The team wants it; a build that lists it may still have to be made.
        case approved
        case refused(PageProblem)
    }

    /// - Parameters:
    ///   - outcome: what became of it.
    ///   - device: such as `iPhone 14 Pro`; nil where nothing is known of it.
    ///   - action: where to go on.
    ///   - chrome: what surrounds the page.
    package init(
        _ outcome: Outcome,
        device: String?,
        goingTo action: MessagePage.Action?,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        self.device = device
        self.action = action
        problem = if case .refused(let refusal) = outcome { refusal.id } else { nil }
        switch outcome {
        case .waiting:
            title = "This device is enrolled and waiting for approval"
            message =
                "Your team has to approve it and include it in the next build. There is nothing "
                + "to uninstall: the profile removes itself."
            tone = "good"
            next = Next(steps: [
                "Your team approves the device and publishes a build that includes it.",
                "The app’s page then shows the Install button on this device.",
            ])
        case .approved:
            title = "This device is enrolled"
            message =
                "Builds made from now on can include it. The app’s page says whether the newest "
                + "one already does."
            tone = "good"
            next = nil
        case .refused(let refusal):
            title = "The device was not enrolled"
            message = refusal.message
            tone = "bad"
            next = refusal.fix.map { Next(steps: [$0]) }
        }
    }
}
