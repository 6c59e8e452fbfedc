package import Identifiers

/// The addresses behind apps and devices. A device is named by its reference, never by its
/// identifier.
extension AdminLinks {
    package func pages(of app: Slug) -> AdminAppLinks { AdminAppLinks(page: self.app(app)) }

    /// The pages of a device; `reference` stands for it in addresses.
    package func pages(ofDevice reference: String) -> AdminDeviceLinks {
        AdminDeviceLinks(page: device(reference))
    }

    package var findDevice: String { devices + "/search" }
    package var addDevice: String { devices + "/add" }
    package var approveDevices: String { devices + "/approve" }
    package var importDevices: String { devices + "/import" }
    package var exportDevices: String { devices + "/export" }
    package var exportAllDevices: String { devices + "/export?all=1" }
    package var invitations: String { devices + "/invitations" }
    package var groups: String { root + "/groups" }

    package func group(_ name: GroupName) -> AdminGroupLinks {
        AdminGroupLinks(page: "\(groups)/\(name)")
    }

    package func revoke(invitation: String) -> String { "\(invitations)/\(invitation)/revoke" }

    /// The devices in one state, of which something contains `search`, one page of them.
    package func devices(_ show: String, search: String, page: Int = 1) -> String {
        var query: [String] = []
        if !show.isEmpty { query.append("show=\(InstallLink.percentEncoded(show))") }
        if !search.isEmpty { query.append("search=\(InstallLink.percentEncoded(search))") }
        if page > 1 { query.append("page=\(page)") }
        return devices + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

/// The addresses of one app's pages for admins.
package struct AdminAppLinks: Sendable {
    package let page: String

    package var icon: String { page + "/icon.png" }
    package var settings: String { page + "/settings" }
    package var matrix: String { page + "/devices" }
    /// Which releases stay, and the forms that change that and apply it.
    package var rules: String { page + "/rules" }
    package var applyRules: String { page + "/rules/apply" }
    /// What testers said went wrong.
    package var feedback: String { page + "/feedback" }

    /// The form that deletes what one tester said.
    package func deleteFeedback(_ identifier: String) -> String {
        "\(feedback)/\(identifier)/delete"
    }

    package func release(_ release: ReleaseIdentifier) -> AdminReleaseLinks {
        AdminReleaseLinks(page: "\(page)/\(InstallLink.percentEncoded(release.rawValue))")
    }

    /// The form that ends a channel.
    package func end(of channel: ChannelName) -> String {
        "\(page)/channels/\(InstallLink.percentEncoded(channel.rawValue))/end"
    }

    /// The form that says who may see a channel.
    package func access(to channel: ChannelName) -> String {
        "\(page)/channels/\(InstallLink.percentEncoded(channel.rawValue))/access"
    }

    package func page(_ number: Int) -> String {
        number > 1 ? "\(page)?page=\(number)" : page
    }
}

/// The addresses of one release's pages for admins.
package struct AdminReleaseLinks: Sendable {
    package let page: String

    package var icon: String { page + "/icon.png" }
    package var devices: String { page + "/devices" }
    package var notes: String { page + "/notes" }
    /// The signed statement of where it came from, and the key that proves it.
    package var statement: String { page + "/provenance.json" }
    package var statementKey: String { page + "/provenance.pem" }
    package var promote: String { page + "/promote" }
    package var withdraw: String { page + "/withdraw" }
    package var restore: String { page + "/restore" }
    package var sign: String { page + "/sign" }
    package var pin: String { page + "/pin" }
    package var unpin: String { page + "/unpin" }
    /// The form that reads a crash report with the symbols of the release.
    package var crash: String { page + "/crash" }

    /// A dSYM, by one of its slices.
    package func symbols(_ uuid: ImageUUID) -> String { "\(page)/symbols/\(uuid.digits)" }
}

/// The addresses of one device's pages.
package struct AdminDeviceLinks: Sendable {
    package let page: String

    package var approve: String { page + "/approve" }
    package var rename: String { page + "/rename" }
    package var disable: String { page + "/disable" }
    package var enable: String { page + "/enable" }
    package var erase: String { page + "/erase" }
}

/// The addresses of one group's pages.
package struct AdminGroupLinks: Sendable {
    package let page: String

    package var add: String { page + "/add" }
    package var remove: String { page + "/remove" }
    package var delete: String { page + "/delete" }
}
