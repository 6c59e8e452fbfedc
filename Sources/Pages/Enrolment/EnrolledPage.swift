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
    /// How far the device is; nil where that is not known.
    let way: DeviceSteps?
    let action: MessagePage.Action?
    let eventsURL: String?
    /// The state in a sentence; the page announces it when it changes.
    let news: String

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
    ///   - way: how far it is on its way to a build; nil where that is not known.
    ///   - action: where to go on.
    ///   - eventsURL: where the page hears that the device has come farther.
    ///   - chrome: what surrounds the page.
    package init(
        _ outcome: Outcome,
        device: String?,
        way: DeviceSteps? = nil,
        goingTo action: MessagePage.Action?,
        eventsURL: String? = nil,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        self.device = device
        self.action = action
        self.way = way
        self.eventsURL = eventsURL
        problem = if case .refused(let refusal) = outcome { refusal.id } else { nil }
        tone = if case .refused = outcome { "bad" } else { "good" }
        var next: [String]
        (title, message, next) = Self.text(of: outcome, way)
        if way != nil { next = [] }
        self.next = next.isEmpty ? nil : Next(steps: next)
        news = way?.news ?? title
    }

    private static func text(
        of outcome: Outcome,
        _ way: DeviceSteps?,
    ) -> (title: String, message: String, next: [String]) {
        let removal = "There is nothing to uninstall: the profile removes itself."
        return switch outcome {
        case .waiting where way?.isReady == true:
            (
                "This device is enrolled",
                "The newest build already includes it. Your team has yet to approve the device for "
                    + "later builds. " + removal,
                [],
            )
        case .waiting:
            (
                "This device is enrolled and waiting for approval",
                "Your team has to approve it"
                    + (way?.isByServer == true ? ". " : " and include it in the next build. ")
                    + removal,
                [
                    "Your team approves the device and publishes a build that includes it.",
                    "The app’s page then shows the Install button on this device.",
                ],
            )
        case .approved where way?.isReady == true:
            ("This device is ready", "The newest build includes this device.", [])
        case .approved where way?.isByServer == true:
            (
                "This device is enrolled",
                "Your team has approved it. " + removal,
                [],
            )
        case .approved:
            (
                "This device is enrolled",
                "Builds made from now on can include it. The app’s page says whether the newest "
                    + "one already does.",
                [],
            )
        case .refused(let refusal):
            (
                "The device was not enrolled", refusal.message,
                refusal.fix.map { [$0] } ?? [],
            )
        }
    }
}
