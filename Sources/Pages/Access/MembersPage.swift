package import Releases

/// The page of an app for approved devices only, for visitors whose device is not approved.
package struct MembersPage: Page {
    package let chrome: PageChrome
    let name: String
    let iconURL: String?
    let title: String
    let message: String
    let steps: [String]
    /// The steps with the state of each; nil if that is unknown.
    let way: DeviceSteps?
    let action: MessagePage.Action?
    let eventsURL: String?
    /// The state in a sentence; the page announces it when it changes.
    let news: String

    /// - Parameters:
    ///   - name: the app's title, the only detail shown.
    ///   - iconURL: its icon, as a `data:` URL.
    ///   - device: the visitor's device, if the server knows it.
    ///   - way: the device's progress towards a build.
    ///   - enrolURL: the page where devices enrol.
    ///   - eventsURL: the event stream that announces the device's approval.
    ///   - chrome: the page's header and footer.
    package init(
        name: String,
        iconURL: String?,
        device: Device?,
        way: DeviceSteps? = nil,
        enrolURL: String,
        eventsURL: String?,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        self.name = name
        self.iconURL = iconURL
        self.way = device?.state == .disabled ? nil : way
        self.eventsURL = device == nil ? nil : eventsURL
        let words = chrome.words
        switch device?.state {
        case nil, .invited:
            title = words.text("members.title")
            message = words.text("members.message", ["name": name])
            steps = [words.text("members.invitation"), words.text("members.code")]
            action = MessagePage.Action(title: words.text("enrol.title"), url: enrolURL)
        case .disabled:
            title = words.text("standing.disabled.title")
            message = words.text("members.disabled", ["name": name])
            steps = [words.text("standing.disabled.step")]
            action = nil
        case .enrolled, .approved, .registered:
            title = words.text("members.waiting.title")
            message = words.text("members.waiting", ["device": device?.name ?? "iPhone"])
            steps = [words.text("members.waiting.step")]
            action = nil
        }
        news = title
    }
}
