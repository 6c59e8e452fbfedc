package import Identifiers
package import Releases

/// Imports a list of devices in the format of Apple's developer site.
package struct DeviceImportPage: AdminPage {
    package let admin: AdminChrome
    let devicesURL: String
    let actionURL: String
    let list: String
    let families: [InvitationForm.Choice]
    let isRegistered: Bool
    let problem: PageProblem?

    /// - Parameters:
    ///   - links: builds paths of admin pages.
    ///   - typed: the input that was refused; the defaults are those of the command line, where a list
    ///     contains registered devices only if that is specified.
    ///   - problem: the reason for the refusal.
    ///   - admin: the page's header and navigation.
    package init(
        links: AdminLinks,
        typed: (list: String, family: ProductFamily, isRegistered: Bool) = ("", .iphone, false),
        problem: PageProblem? = nil,
        admin: AdminChrome,
    ) {
        self.admin = admin
        devicesURL = links.devices
        actionURL = links.importDevices
        list = typed.list
        families = ProductFamily.allCases.filter { $0 != .mac }.map {
            InvitationForm.Choice(
                value: $0.rawValue,
                label: $0.title,
                isChosen: $0 == typed.family,
            )
        }
        isRegistered = typed.isRegistered
        self.problem = problem
    }
}

/// Adds one device by its identifier.
package struct DeviceAddPage: AdminPage {
    package let admin: AdminChrome
    let devicesURL: String
    let invitationsURL: String
    let actionURL: String
    let identifier: String
    let deviceName: String
    let model: String
    let system: String
    let families: [InvitationForm.Choice]
    let owners: TeamChoice?
    let problem: PageProblem?
    let nameLimit = "\(DeviceRegister.nameLimit)"

    /// The form's input.
    package struct Typed: Sendable {
        package var identifier = ""
        package var name = ""
        package var family = ""
        package var model = ""
        package var os = ""
        package var team = ""

        package init() {}
    }

    /// - Parameters:
    ///   - links: builds paths of admin pages.
    ///   - teams: the teams with a developer account.
    ///   - typed: the input that was refused.
    ///   - problem: the reason for the refusal.
    ///   - admin: the page's header and navigation.
    package init(
        links: AdminLinks,
        teams: [Team] = [],
        typed: Typed = Typed(),
        problem: PageProblem? = nil,
        admin: AdminChrome,
    ) {
        self.admin = admin
        devicesURL = links.devices
        invitationsURL = links.invitations
        actionURL = links.addDevice
        identifier = typed.identifier
        deviceName = typed.name
        model = typed.model
        system = typed.os
        families =
            [
                InvitationForm.Choice(
                    value: "",
                    label: "By model",
                    isChosen: false,
                )
            ]
            + ProductFamily.allCases.map {
                InvitationForm.Choice(
                    value: $0.rawValue,
                    label: $0.title,
                    isChosen: $0.rawValue == typed.family,
                )
            }
        owners = TeamChoice(among: teams, chosen: typed.team)
        self.problem = problem
    }
}
