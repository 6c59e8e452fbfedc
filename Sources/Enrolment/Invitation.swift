import Bundles
package import Cryptography
package import Essentials
package import Identifiers

/// An invitation for one device, or for as many devices as it has places.
package struct Invitation: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        /// It has a place for a device.
        case open
        /// A device enrolled with it; with an invitation for many, as many as it has places.
        case used
        case revoked
        case expired
    }

    /// The device that used it, and when.
    package struct Use: Codable, Sendable, Equatable {
        package let device: DeviceUDID
        package let date: Date
    }

    /// The admin who revoked it, and when.
    package struct Revocation: Codable, Sendable, Equatable {
        package let by: String
        package let date: Date
    }

    package let identifier: InvitationIdentifier
    /// The person whom it is for; becomes the name of the device.
    ///
    /// For an invitation for many it is only a label: each tester names their device when they join.
    package let name: String
    /// The app whose page the tester reaches in the end; nil for the list of apps.
    package let app: BundleIdentifier?
    package let created: Date
    package let createdBy: String
    package let expires: Date
    /// Digests of the link's token and, after it, of the token for which its code was exchanged.
    package internal(set) var tokens: [SHA256Digest]
    /// nil once it was entered or has expired, and for a used or revoked invitation.
    package internal(set) var code: InvitationCode.Trace?
    /// When its link was first opened or its code first entered.
    package internal(set) var opened: Date?
    /// The first device that enrolled with it.
    package internal(set) var use: Use?
    /// The devices after the first; nil for none.
    package internal(set) var furtherUses: [Use]?
    /// The number of devices that used it and have since been erased; nil for none.
    package internal(set) var erasedUses: Int?
    package internal(set) var revocation: Revocation?
    /// How many devices it admits; nil for one.
    private(set) var limit: Int?
    /// The groups that its devices join; nil for none.
    private(set) var groupNames: [GroupName]?

    private enum CodingKeys: String, CodingKey {
        case identifier, name, app, created, createdBy, expires, tokens, code, opened, use
        case furtherUses, erasedUses, revocation
        case limit = "uses"
        case groupNames = "groups"
    }

    init(
        _ draft: InvitationDraft,
        as identifier: InvitationIdentifier,
        at date: Date,
        token: LinkToken,
        code: InvitationCode.Trace,
    ) {
        self.identifier = identifier
        name = draft.name
        app = draft.app
        created = date
        createdBy = draft.by
        expires = date.addingTimeInterval(draft.validity)
        tokens = [token.digest]
        self.code = code
        limit = draft.uses == 1 ? nil : draft.uses
        groupNames = draft.groups.isEmpty ? nil : draft.groups
    }

    /// How many devices it admits.
    package var places: Int { limit ?? 1 }
    /// Whether it is for more than one device, so that each tester enters a name.
    package var isForMany: Bool { places > 1 }
    /// The groups that its devices join.
    package var groups: [GroupName] { groupNames ?? [] }
    /// The devices that enrolled with it, in order, except those that have since been erased.
    package var uses: [Use] { (use.map { [$0] } ?? []) + (furtherUses ?? []) }
    /// How many devices enrolled with it.
    package var usedPlaces: Int { uses.count + (erasedUses ?? 0) }

    /// Returns the use by a device; nil for none.
    package func use(by device: DeviceUDID) -> Use? { uses.first { $0.device == device } }

    mutating func take(_ use: Use) {
        if self.use == nil { self.use = use } else { furtherUses = (furtherUses ?? []) + [use] }
    }

    /// Removes the use by a device, if there is one.
    mutating func removeUse(by device: DeviceUDID) {
        let rest = uses.filter { $0.device != device }
        use = rest.first
        furtherUses = rest.count > 1 ? Array(rest.dropFirst()) : nil
    }

    package func state(at date: Date) -> State {
        if revocation != nil { return .revoked }
        if usedPlaces >= places { return .used }
        return date < expires ? .open : .expired
    }

    /// - Throws: the reason why it cannot be used.
    func checkOpen(at date: Date) throws(InvitationRefusal) {
        switch state(at: date) {
        case .open: return
        case .used: throw isForMany ? .full : .used
        case .revoked: throw .revoked
        case .expired: throw .expired(expires)
        }
    }
}

/// An admin's input for a new invitation.
package struct InvitationDraft: Sendable, Equatable {
    /// Seven days, in seconds.
    package static let usualValidity: TimeInterval = 7 * 86_400

    package var name: String
    package var app: BundleIdentifier?
    /// In seconds.
    package var validity: TimeInterval
    package var by: String
    /// How many devices it admits; in ``InvitationRegister/placesRange``.
    package var uses: Int
    /// The groups that its devices join.
    package var groups: [GroupName]

    package init(
        name: String,
        app: BundleIdentifier? = nil,
        validity: TimeInterval = Self.usualValidity,
        by admin: String,
        uses: Int = 1,
        groups: [GroupName] = [],
    ) {
        self.name = name
        self.uses = uses
        self.groups = groups
        self.app = app
        self.validity = validity
        by = admin
    }
}

/// An invitation with its secrets, which are shown once and not stored.
package struct IssuedInvitation: Sendable {
    package let invitation: Invitation
    package let token: LinkToken
    package let code: InvitationCode
}
