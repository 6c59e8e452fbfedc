package import Foundation
import Bundles
import Identifiers
package import Releases

/// An app in the API and in `--json`.
package struct AppDescription: Codable, Equatable, Sendable {
    package let app, title, slug: String
    package let access: AppRecord.Access
    /// Whether a passphrase for testers is set.
    package let hasPassphrase: Bool
    /// Whether the start page lists it unless it is archived.
    package let listed: Bool
    /// True for an app that takes no new builds and is left out of lists; absent otherwise.
    package let archived: Bool?
    /// The release that each channel offers.
    package let channels: [String: String]
    /// When channels end; nil if none does.
    package let channelEnds: [String: Date]?
    /// The groups that may see a channel, in place of `access`; nil if no channel has groups.
    package let channelGroups: [String: GroupNames]?
    /// The team for which its builds are signed; nil for none.
    package let team: String?
    /// When the server signs its builds.
    package let signing: AppRecord.Signing
    /// Who approves a device that enrols with an invitation for it.
    package let approval: AppRecord.Approval
    /// The channels whose releases are signed again automatically.
    package let freshChannels: FreshChannels
    /// How many days before their expiry its profiles and its team's certificate are renewed.
    package let renewalDays: Int
    /// The lowest version that testers may still use, such as `1.2.0` or `1.2.0-34`; nil for any.
    package let minimumVersion: String?
    /// How testers give feedback: `off`, `form` or a URL.
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

    /// Who may see it, for people.
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

    /// Where it is listed, for people.
    package var place: String {
        if archived == true { return "archived" }
        return listed ? "on the start page" : "not on the start page"
    }

    /// How its builds are signed, for people; nil without a team.
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

    /// Which installed versions are too old, for people; nil if none is.
    package var update: String? {
        minimumVersion.map { "copies below \($0) have to be updated" }
    }

    /// Who approves devices, for people.
    package var approver: String {
        switch approval {
        case .automatic: "devices that join by an invitation to it are approved automatically"
        case .manual: "an admin approves devices"
        }
    }

    /// The release that its page shows without a channel.
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
    /// The apps whose record is damaged or missing; absent if there are none.
    package let unreadable: [ErrorDocument.Failure]?
    /// The value of `after` for the next page; nil on the last page.
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
