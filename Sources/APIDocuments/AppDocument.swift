package import Foundation
import Bundles
import Identifiers
package import Releases

/// One app as documents show it.
package struct AppDescription: Codable, Equatable, Sendable {
    package let app, title, slug: String
    package let access: AppRecord.Access
    /// Whether there is one that testers may know.
    package let hasPassphrase: Bool
    /// Whether the start page names it while it is not archived.
    package let listed: Bool
    /// True for one that takes no new builds and that lists leave out; absent otherwise.
    package let archived: Bool?
    /// The release that each channel offers.
    package let channels: [String: String]
    /// When channels end; nil where all of them last.
    package let channelEnds: [String: Date]?
    /// The groups that single channels are open to, in place of `access`; nil for none.
    package let channelGroups: [String: GroupNames]?
    /// The team in whose name its builds are signed; nil for none.
    package let team: String?
    /// When the server signs them.
    package let signing: AppRecord.Signing
    /// Who approves a device that enrols by an invitation to it.
    package let approval: AppRecord.Approval
    /// The channels whose releases are signed again by themselves.
    package let freshChannels: FreshChannels
    /// How many days before their end its profiles and its team's certificate are renewed.
    package let renewalDays: Int
    /// The lowest version that testers may still use, such as `1.2.0` or `1.2.0-34`; nil for any.
    package let minimumVersion: String?
    /// How a tester says what went wrong: `off`, `form` or a URL.
    package let feedback: String
    package let created: Date

    package init(_ app: AppRecord) {
        self.app = app.bundleIdentifier.rawValue
        title = app.title
        slug = app.slug.rawValue
        access = app.access
        hasPassphrase = app.passphrase != nil
        listed = app.isListed
        archived = app.isArchived ? true : nil
        channels = Dictionary(
            uniqueKeysWithValues: app.channels.map { ($0.key.rawValue, $0.value.rawValue) }
        )
        let ends = app.channels.keys.compactMap { channel in
            app.end(of: channel).map { (channel.rawValue, $0) }
        }
        channelEnds = ends.isEmpty ? nil : Dictionary(uniqueKeysWithValues: ends)
        channelGroups = app.channelGroups.map { groups in
            Dictionary(uniqueKeysWithValues: groups.map { ($0.key.rawValue, $0.value) })
        }
        team = app.team?.rawValue
        signing = app.signing
        approval = app.approval
        freshChannels = FreshChannels(app.freshChannels)
        renewalDays = app.renewalDays
        minimumVersion = app.minimumVersion?.description
        feedback = app.feedback.description
        created = app.created
    }

    /// Who may see it, in words.
    package var audience: String {
        switch access {
        case .open: "anyone with the link"
        case .passphrase where !hasPassphrase: "no one, because no passphrase is set"
        case .passphrase: "anyone with the passphrase"
        case .enrolled: "approved devices"
        case .signIn: "testers who sign in"
        case .groups(let names):
            (names.names.count == 1 ? "the group " : "the groups ")
                + names.names.map(\.rawValue).joined(separator: ", ")
        }
    }

    /// Where it is shown, in words.
    package var place: String {
        if archived == true { return "archived" }
        return listed ? "on the start page" : "not on the start page"
    }

    /// How its builds are signed, in words; nil without a team.
    package var signer: String? {
        team.map { team in
            switch signing {
            case .automatic:
                "automatically for team \(team)"
                    + (freshChannels.names.map { names in
                        " on \(names.map(\.rawValue).joined(separator: ", "))"
                    } ?? "")
            case .manual: "on request for team \(team)"
            }
        }
    }

    /// Which copies are too old, in words; nil where none is.
    package var update: String? {
        minimumVersion.map { "copies below \($0) have to be updated" }
    }

    /// Who approves devices, in words.
    package var approver: String {
        switch approval {
        case .automatic: "devices that join by an invitation to it are approved automatically"
        case .manual: "an admin approves devices"
        }
    }

    /// The release that a page without a channel shows.
    package var offered: String? {
        channels[ChannelName.stable.rawValue]
            ?? channels.filter { channelEnds?[$0.key] == nil }.min { $0.key < $1.key }?.value
    }
}

/// `{"schema": 1, "app": {…}}`.
package struct AppDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let app: AppDescription

    package init(app: AppDescription) {
        self.app = app
    }
}

/// `{"schema": 1, "apps": […]}`, by title.
package struct AppsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let apps: [AppDescription]
    /// Apps whose record is damaged or missing; absent where there are none.
    package let unreadable: [ErrorDocument.Failure]?
    /// What to give as `after` for the next page; nil on the last one.
    package let next: String?

    package init(
        apps: [AppDescription],
        unreadable: [ErrorDocument.Failure]?,
        next: String? = nil,
    ) {
        self.apps = apps
        self.unreadable = unreadable
        self.next = next
    }
}
