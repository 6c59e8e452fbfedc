/// The page that a device reaches after it was enrolled, or refused.
package struct EnrolledPage: Page {
    package let chrome: PageChrome
    let title: String
    let device: String?
    let message: String
    /// The `id` of a ``Problem``, if the device was refused.
    let problem: String?
    let tone: String
    let next: Next?
    /// The device's progress; nil if unknown.
    let way: DeviceSteps?
    let action: MessagePage.Action?
    let eventsURL: String?
    /// The state in a sentence; the page announces it when it changes.
    let news: String

    struct Next: Sendable {
        let steps: [String]
    }

    /// The result of the enrolment.
    package enum Outcome: Sendable {
        /// The team has to approve the device first.
        case waiting
        /// The team has approved the device; a build that includes it may still have to be made.
        case approved
        case refused(PageProblem)
        /// The device is in none of the groups that may see the app with this title.
        case outside(app: String)
    }

    /// - Parameters:
    ///   - outcome: the result.
    ///   - device: a model such as `iPhone 14 Pro`; nil if unknown.
    ///   - way: the device's progress towards a build; nil if unknown.
    ///   - action: the next page.
    ///   - eventsURL: the event stream that announces the device's progress.
    ///   - chrome: the page's header and footer.
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
        (title, message, next) = Self.text(of: outcome, way, in: chrome.words)
        if way != nil { next = [] }
        self.next = next.isEmpty ? nil : Next(steps: next)
        news = way?.news ?? title
    }

    private static func text(
        of outcome: Outcome,
        _ way: DeviceSteps?,
        in words: Words,
    ) -> (title: String, message: String, next: [String]) {
        let texts = { (keys: String...) in words.paragraph(keys.map { words.text($0) }) }
        return switch outcome {
        case .waiting where way?.isReady == true:
            (words.text("enrolled.title"), texts("enrolled.early", "enrolled.removal"), [])
        case .waiting:
            (
                words.text("enrolled.waiting.title"),
                texts(
                    way?.isByServer == true
                        ? "enrolled.waiting.server" : "enrolled.waiting.hand",
                    "enrolled.removal",
                ),
                [
                    words.text("enrolled.waiting.approve"),
                    words.text("enrolled.waiting.button"),
                ],
            )
        case .approved where way?.isReady == true:
            (words.text("enrolled.ready.title"), words.text("enrolled.ready"), [])
        case .approved where way?.isByServer == true:
            (
                words.text("enrolled.title"),
                texts("enrolled.approved.server", "enrolled.removal"),
                [],
            )
        case .approved:
            (words.text("enrolled.title"), words.text("enrolled.approved"), [])
        case .outside(let app):
            (words.text("enrolled.title"), words.text("enrolled.outside", ["app": app]), [])
        case .refused(let refusal):
            (
                words.text("enrolled.refused.title"), refusal.message,
                refusal.fix.map { [$0] } ?? [],
            )
        }
    }
}
