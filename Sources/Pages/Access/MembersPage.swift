package import Releases

/// What somebody sees of an app that is for approved devices only, when theirs is not one.
package struct MembersPage: Page {
    package let chrome: PageChrome
    let name: String
    let iconURL: String?
    let title: String
    let message: String
    let steps: [String]
    let action: MessagePage.Action?
    let eventsURL: String?
    /// The state in a sentence, by which a change is told from none.
    let news: String

    /// - Parameters:
    ///   - name: the app's title, all that is said of it.
    ///   - iconURL: its icon, as data.
    ///   - device: theirs, where the server knows it.
    ///   - enrolURL: where a device enrols.
    ///   - eventsURL: where the page hears that the device was approved.
    ///   - chrome: what surrounds the page.
    package init(
        name: String,
        iconURL: String?,
        device: Device?,
        enrolURL: String,
        eventsURL: String?,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        self.name = name
        self.iconURL = iconURL
        self.eventsURL = device == nil ? nil : eventsURL
        switch device?.state {
        case nil, .invited:
            title = "For enrolled devices"
            message =
                "\(name) is for devices that the team knows, and this server does not know yours."
            steps = [
                "Ask your team for an invitation, and open its link on the device in Safari.",
                "Or type the six digits that they gave you.",
            ]
            action = MessagePage.Action(title: "Enrol this device", url: enrolURL)
        case .disabled:
            title = "This device was taken out of use"
            message = "Your team no longer offers \(name) to it."
            steps = ["If that is a mistake, tell your team and ask for a new invitation."]
            action = nil
        case .enrolled, .approved, .registered:
            title = "Waiting for your team"
            message =
                "Your team knows \(device?.name ?? "this device"), and somebody has to approve it."
            steps = ["They have been told. You will see the app here once it is approved."]
            action = nil
        }
        news = title
    }
}
