package import Releases

/// The page of an app for approved devices only, for visitors whose device is not approved.
package struct MembersPage: Page {
    package let chrome: PageChrome
    let name: String
    let iconURL: String?
    let title: String
    let message: String
    let steps: [String]
    /// The same with what is done and what is under way; nil where that is not known.
    let way: DeviceSteps?
    let action: MessagePage.Action?
    let eventsURL: String?
    /// The state in a sentence; the page announces it when it changes.
    let news: String

    /// - Parameters:
    ///   - name: the app's title, all that is said of it.
    ///   - iconURL: its icon, as data.
    ///   - device: theirs, where the server knows it.
    ///   - way: how far it is on its way to a build.
    ///   - enrolURL: where a device enrols.
    ///   - eventsURL: where the page hears that the device was approved.
    ///   - chrome: what surrounds the page.
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
