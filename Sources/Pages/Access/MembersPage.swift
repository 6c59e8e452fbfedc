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
        switch device?.state {
        case nil, .invited:
            title = "For enrolled devices only"
            message =
                "\(name) is for devices that the team has approved, and yours is not enrolled yet."
            steps = [
                "Ask your team for an invitation, and open its link in Safari on this device.",
                "Or enter the six-digit code that they gave you.",
            ]
            action = MessagePage.Action(title: "Enrol this device", url: enrolURL)
        case .disabled:
            title = "Your team has disabled this device"
            message = "Your team no longer offers \(name) to this device."
            steps = ["If that is a mistake, ask your team for a new invitation."]
            action = nil
        case .enrolled, .approved, .registered:
            title = "Waiting for your team"
            message =
                "\(device?.name ?? "This device") is enrolled, and your team has to approve it."
            steps = ["The app appears on this page once they approve the device."]
            action = nil
        }
        news = title
    }
}
