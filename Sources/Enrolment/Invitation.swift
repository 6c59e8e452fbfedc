import Bundles
package import Cryptography
package import Essentials
package import Identifiers

/// What lets one device enrol, once.
package struct Invitation: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        /// Waits for its device.
        case open
        /// A device enrolled with it.
        case used
        case revoked
        case expired
    }

    /// By which device, and when.
    package struct Use: Codable, Sendable, Equatable {
        package let device: DeviceUDID
        package let date: Date
    }

    /// By whom, and when.
    package struct Revocation: Codable, Sendable, Equatable {
        package let by: String
        package let date: Date
    }

    package let identifier: InvitationIdentifier
    /// Whom it is for; becomes the name of the device.
    package let name: String
    /// The app whose page the tester shall end on; nil for the list of apps.
    package let app: BundleIdentifier?
    package let created: Date
    package let createdBy: String
    package let expires: Date
    /// Digests of the link's token and, after it, of the one that a typed code was changed into.
    package internal(set) var tokens: [SHA256Digest]
    /// nil once it was typed, and when it was never asked for.
    package internal(set) var code: InvitationCode.Trace?
    /// When its link was opened or its code typed for the first time.
    package internal(set) var opened: Date?
    package internal(set) var use: Use?
    package internal(set) var revocation: Revocation?

    package func state(at date: Date) -> State {
        if revocation != nil { return .revoked }
        if use != nil { return .used }
        return date < expires ? .open : .expired
    }

    /// Throws what stands in the way of using it.
    func checkOpen(at date: Date) throws(InvitationRefusal) {
        switch state(at: date) {
        case .open: return
        case .used: throw .used
        case .revoked: throw .revoked
        case .expired: throw .expired(expires)
        }
    }
}

/// What an admin asks for.
package struct InvitationDraft: Sendable, Equatable {
    /// Seven days, in seconds.
    package static let usualValidity: TimeInterval = 7 * 86_400

    package var name: String
    package var app: BundleIdentifier?
    /// In seconds.
    package var validity: TimeInterval
    package var by: String

    package init(
        name: String,
        app: BundleIdentifier? = nil,
        validity: TimeInterval = Self.usualValidity,
        by admin: String,
    ) {
        self.name = name
        self.app = app
        self.validity = validity
        by = admin
    }
}

/// An invitation with the secrets that are shown once and then forgotten.
package struct IssuedInvitation: Sendable {
    package let invitation: Invitation
    package let token: LinkToken
    package let code: InvitationCode
}
