import Bytes
package import Foundation
package import Identifiers
import Releases

/// The invitations, and the form for a new one.
package struct InvitationsPage: AdminPage {
    package let admin: AdminChrome
    let devicesURL: String
    let form: InvitationForm
    let open: [Row]
    let hasOpen: Bool
    let others: [Row]
    let hasOthers: Bool

    /// - Parameters:
    ///   - invitations: newest first.
    ///   - form: the form, with its input if that was refused.
    ///   - devicesURL: the page of the register.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation.
    package init(
        invitations: [Entry],
        form: InvitationForm,
        devicesURL: String,
        at date: Date,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.devicesURL = devicesURL
        self.form = form
        let rows = invitations.map { (isOpen: $0.state == .open, row: Row($0, at: date)) }
        open = rows.filter(\.isOpen).map(\.row)
        hasOpen = !open.isEmpty
        others = rows.filter { !$0.isOpen }.map(\.row)
        hasOthers = !others.isEmpty
    }

    /// One invitation; its secrets are not stored.
    package struct Entry: Sendable {
        package enum State: String, Sendable { case open, used, revoked, expired }

        package let name: String
        package let app: String?
        package let state: State
        package let by: String
        package let created: Date
        package let opened: Date?
        package let expires: Date
        package let places: (used: Int, all: Int)
        package let groups: [GroupName]
        package let revokeURL: String

        /// - Parameters:
        ///   - name: the tester's name.
        ///   - app: the title of the app to test.
        ///   - state: whether it still admits devices.
        ///   - by: the admin who created it.
        ///   - dates: when it was created, first opened, and expires.
        ///   - places: how many devices have enrolled, and how many may.
        ///   - groups: the groups that its devices join.
        ///   - revokeURL: the target that revokes it.
        package init(
            name: String,
            app: String?,
            state: State,
            by: String,
            dates: (created: Date, opened: Date?, expires: Date),
            places: (used: Int, all: Int) = (0, 1),
            groups: [GroupName] = [],
            revokeURL: String,
        ) {
            self.name = name
            self.app = app
            self.state = state
            self.by = by
            created = dates.created
            opened = dates.opened
            expires = dates.expires
            self.places = places
            self.groups = groups
            self.revokeURL = revokeURL
        }
    }

    struct Row: Sendable {
        let name: String
        let app: String?
        let state: Chip
        let detail: String
        let revokeURL: String

        init(_ entry: Entry, at date: Date) {
            name = entry.name
            app = entry.app
            state = Self.chip(entry)
            let until = Wording.distance(to: entry.expires, from: date)
            detail =
                "by \(entry.by), \(Wording.day(entry.created))"
                + (entry.state == .open ? "; expires \(until)" : "")
                + (entry.places.all > 1
                    ? "; used by \(entry.places.used.grouped) of \(entry.places.all.grouped) devices"
                    : "")
                + (entry.groups.isEmpty
                    ? "" : "; joins \(entry.groups.map(\.rawValue).joined(separator: ", "))")
            revokeURL = entry.revokeURL
        }

        private static func chip(_ entry: Entry) -> Chip {
            switch entry.state {
            case .open:
                entry.opened == nil ? Chip("Not opened yet") : Chip("Opened", tone: "warn")
            case .used: Chip("Enrolled", tone: "good")
            case .revoked: Chip("Revoked")
            case .expired: Chip("Expired")
            }
        }
    }
}

/// The form for a new invitation.
package struct InvitationForm: Sendable {
    let actionURL: String
    let invitee: String
    /// Options, as markup.
    let apps: String
    let hasApps: Bool
    let validities: [Choice]
    let hasGroups: Bool
    let mostUses = "\(InvitationForm.mostPlaces)"
    /// The same as in `InvitationRegister.placesRange`.
    private static let mostPlaces = 500
    let nameLimit = "\(DeviceRegister.nameLimit)"

    package struct Choice: Sendable {
        let value: String
        let label: String
        let isChosen: Bool

        package init(value: String, label: String, isChosen: Bool) {
            self.value = value
            self.label = label
            self.isChosen = isChosen
        }
    }

    package init(
        sentTo url: String,
        name: String = "",
        apps: [Choice],
        validities: [Choice],
        hasGroups: Bool = false,
    ) {
        self.hasGroups = hasGroups
        actionURL = url
        invitee = name
        self.apps = HTMLText.options(apps.lazy.map { ($0.value, $0.label, $0.isChosen) })
        hasApps = !apps.isEmpty
        self.validities = validities
    }
}
