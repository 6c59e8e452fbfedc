import Bundles
package import Cryptography
package import Essentials
package import Identifiers

/// What lets one device enrol, once, or as many as it has places for.
package struct Invitation: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        /// Waits for its device.
        case open
        /// A device enrolled with it; of one for many, as many as it has places for.
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
    ///
    /// One for many is only called so: each tester names their device when they join.
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
    /// The first device that enrolled with it.
    package internal(set) var use: Use?
    /// Those after the first; nil for none.
    package internal(set) var furtherUses: [Use]?
    /// How many uses were of devices that have been erased since; nil for none.
    package internal(set) var erasedUses: Int?
    package internal(set) var revocation: Revocation?
    /// How many devices it lets in; nil for one.
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

    /// How many devices it lets in.
    package var places: Int { limit ?? 1 }
    /// Whether it is for more than one device, so that each tester says their name.
    package var isForMany: Bool { places > 1 }
    /// The groups that its devices join.
    package var groups: [GroupName] { groupNames ?? [] }
    /// The devices that enrolled with it, in order, without those that have been erased since.
    package var uses: [Use] { (use.map { [$0] } ?? []) + (furtherUses ?? []) }
    /// How many devices enrolled with it.
    package var usedPlaces: Int { uses.count + (erasedUses ?? 0) }

    /// The use by a device.
    package func use(by device: DeviceUDID) -> Use? { uses.first { $0.device == device } }

    mutating func take(_ use: Use) {
        if self.use == nil { self.use = use } else { furtherUses = (furtherUses ?? []) + [use] }
    }

    /// Removes the use by a device, where there is one.
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

    /// Throws what stands in the way of using it.
    func checkOpen(at date: Date) throws(InvitationRefusal) {
        switch state(at: date) {
        case .open: return
        case .used: throw isForMany ? .full : .used
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
    /// How many devices it lets in; in ``InvitationRegister/placesRange``.
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

/// An invitation with the secrets that are shown once and then forgotten.
package struct IssuedInvitation: Sendable {
    package let invitation: Invitation
    package let token: LinkToken
    package let code: InvitationCode
}
