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
        /// It is in none of the groups that may see the app, by title.
        case outside(app: String)
    }

    /// - Parameters:
    ///   - outcome: the result.
    ///   - device: such as `iPhone 14 Pro`; nil where nothing is known of it.
    ///   - way: how far it is on its way to a build; nil where that is not known.
    ///   - action: where to continue.
    ///   - eventsURL: where the page hears that the device has come farther.
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
