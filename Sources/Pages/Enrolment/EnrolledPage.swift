/// Where a device ends after it enrolled, or was refused.
package struct EnrolledPage: Page {
    package let chrome: PageChrome
    let title: String
    let device: String?
    let message: String
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
        case refused(message: String, mend: String)
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
        switch outcome {
        case .waiting:
            title = "Your team knows this device now"
            message =
                "Somebody of the team looks at it, and adds it to the next build. There is nothing "
                + "to uninstall: the profile has removed itself."
            tone = "good"
            next = Next(steps: [
                "The team approves the device and makes a build that lists it.",
                "The app’s page then shows the Install button, on this device.",
            ])
        case .approved:
            title = "This device is enrolled"
            message =
                "Builds made from now on can list it. The app’s page says for this device whether "
                + "the newest one does."
            tone = "good"
            next = nil
        case .refused(let message, let mend):
            title = "That did not work"
            self.message = message
            tone = "bad"
            next = Next(steps: [mend])
        }
    }
}
