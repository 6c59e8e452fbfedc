package import Identifiers

/// The paths of pages of apps and devices.
///
/// A device is identified by its reference, never by its UDID.
extension AdminLinks {
    package func pages(of app: Slug) -> AdminAppLinks { AdminAppLinks(page: self.app(app)) }

    /// The pages of a device, given its reference.
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

    /// One page of the list of devices in one state that match `search`.
    package func devices(_ show: String, search: String, page: Int = 1) -> String {
        var query: [String] = []
        if !show.isEmpty { query.append("show=\(InstallLink.percentEncoded(show))") }
        if !search.isEmpty { query.append("search=\(InstallLink.percentEncoded(search))") }
        if page > 1 { query.append("page=\(page)") }
        return devices + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

/// The paths of an app's admin pages.
package struct AdminAppLinks: Sendable {
    package let page: String

    package var icon: String { page + "/icon.png" }
    package var settings: String { page + "/settings" }
    package var matrix: String { page + "/devices" }
    /// The page with the retention rules, and the forms that change and apply them.
    package var rules: String { page + "/rules" }
    package var applyRules: String { page + "/rules/apply" }
    /// The page with testers' feedback.
    package var feedback: String { page + "/feedback" }

    /// The form that deletes one entry of feedback.
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

    /// The form that sets who may see a channel.
    package func access(to channel: ChannelName) -> String {
        "\(page)/channels/\(InstallLink.percentEncoded(channel.rawValue))/access"
    }

    package func page(_ number: Int) -> String {
        number > 1 ? "\(page)?page=\(number)" : page
    }
}

/// The paths of a release's admin pages.
package struct AdminReleaseLinks: Sendable {
    package let page: String

    package var icon: String { page + "/icon.png" }
    package var devices: String { page + "/devices" }
    package var notes: String { page + "/notes" }
    /// The signed statement about its origin, and the key that verifies it.
    package var statement: String { page + "/provenance.json" }
    package var statementKey: String { page + "/provenance.pem" }
    package var promote: String { page + "/promote" }
    package var withdraw: String { page + "/withdraw" }
    package var restore: String { page + "/restore" }
    package var sign: String { page + "/sign" }
    package var pin: String { page + "/pin" }
    package var unpin: String { page + "/unpin" }
    /// The form that symbolicates a crash report with the symbols of the release.
    package var crash: String { page + "/crash" }

    /// A dSYM, given the UUID of one of its slices.
    package func symbols(_ uuid: ImageUUID) -> String { "\(page)/symbols/\(uuid.digits)" }
}

/// The paths of a device's pages.
package struct AdminDeviceLinks: Sendable {
    package let page: String

    package var approve: String { page + "/approve" }
    package var rename: String { page + "/rename" }
    package var disable: String { page + "/disable" }
    package var enable: String { page + "/enable" }
    package var erase: String { page + "/erase" }
}

/// The paths of a group's pages.
package struct AdminGroupLinks: Sendable {
    package let page: String

    package var add: String { page + "/add" }
    package var remove: String { page + "/remove" }
    package var delete: String { page + "/delete" }
}
