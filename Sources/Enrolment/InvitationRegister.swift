import Bundles
import Bytes
package import Essentials
package import Identifiers

/// The invitations of a team, stored in `invitations.json`.
///
/// Every change depends only on the document, the time and a source of randomness.
package struct InvitationRegister: Codable, Sendable, Equatable {
    /// The most open invitations.
    package static let openLimit = 200
    /// The most characters of an invitation's name, which becomes a device's name.
    package static let nameLimit = 50
    /// From a quarter of an hour to 90 days, in seconds.
    package static let validities: ClosedRange<TimeInterval> = 900...(90 * 86_400)
    /// How many devices one invitation may admit.
    package static let placesRange = 1...500
    /// The most places of all open invitations together.
    package static let placesLimit = 5_000
    /// The most groups that the devices of one invitation may join.
    package static let groupLimit = 20
    /// Seconds for which a used, revoked or expired invitation is still listed.
    package static let memory: TimeInterval = 30 * 86_400
    /// The most invitations listed, open ones and others.
    static let totalLimit = 2_000

    package var schema = 1
    /// Oldest first.
    package internal(set) var invitations: [Invitation]

    package init() {
        invitations = []
    }

    package subscript(identifier: InvitationIdentifier) -> Invitation? {
        invitations.first { $0.identifier == identifier }
    }

    /// Returns the invitations that still admit devices.
    package func open(at date: Date) -> [Invitation] {
        invitations.filter { $0.state(at: date) == .open }
    }

    /// Creates an invitation with a link and a code that no other open one has.
    package mutating func invite(
        _ draft: InvitationDraft,
        at date: Date,
        using generator: inout some RandomNumberGenerator,
    ) throws(InvitationRefusal) -> IssuedInvitation {
        try Self.check(draft)
        prune(at: date)
        guard open(at: date).count < Self.openLimit else {
            throw .tooManyOpen(limit: Self.openLimit)
        }
        let places = open(at: date).reduce(draft.uses) { $0 + $1.places }
        guard places <= Self.placesLimit else { throw .tooManyPlaces(limit: Self.placesLimit) }
        let token = LinkToken(using: &generator)
        let code = freshCode(at: date, using: &generator)
        var identifier = InvitationIdentifier(using: &generator)
        while self[identifier] != nil { identifier = InvitationIdentifier(using: &generator) }
        let invitation = Invitation(
            draft,
            as: identifier,
            at: date,
            token: token,
            code: InvitationCode.Trace(of: code, at: date, using: &generator),
        )
        invitations.append(invitation)
        return IssuedInvitation(invitation: invitation, token: token, code: code)
    }

    /// Returns the invitation of a link, whatever its state.
    package subscript(token: LinkToken) -> Invitation? {
        let digest = token.digest
        return invitations.first { $0.tokens.contains(digest) }
    }

    /// Returns the open invitation of a link, and records when it was first opened.
    package mutating func open(
        _ token: LinkToken,
        at date: Date,
    ) throws(InvitationRefusal) -> Invitation {
        let digest = token.digest
        guard let index = invitations.firstIndex(where: { $0.tokens.contains(digest) }) else {
            throw .unknown
        }
        try invitations[index].checkOpen(at: date)
        if invitations[index].opened == nil { invitations[index].opened = date }
        return invitations[index]
    }

    /// Records which device enrolled.
    ///
    /// - Throws: ``InvitationRefusal/usedByThisDevice`` if the device has already enrolled with it, in
    ///   which case the same response was sent again.
    package mutating func consume(
        _ identifier: InvitationIdentifier,
        by device: DeviceUDID,
        at date: Date,
    ) throws(InvitationRefusal) -> Invitation {
        let index = try index(of: identifier)
        let invitation = invitations[index]
        if invitation.revocation == nil, invitation.use(by: device) != nil {
            throw .usedByThisDevice
        }
        try invitation.checkOpen(at: date)
        invitations[index].take(Invitation.Use(device: device, date: date))
        if invitations[index].state(at: date) == .used { invitations[index].code = nil }
        return invitations[index]
    }

    /// Returns a use of an invitation, because its device was not added to the register.
    package mutating func giveBack(_ identifier: InvitationIdentifier, from device: DeviceUDID) {
        guard let index = invitations.firstIndex(where: { $0.identifier == identifier }) else {
            return
        }
        invitations[index].removeUse(by: device)
    }

    /// Revokes an open invitation.
    @discardableResult
    package mutating func revoke(
        _ identifier: InvitationIdentifier,
        by admin: String,
        at date: Date,
    ) throws(InvitationRefusal) -> Invitation {
        let index = try index(of: identifier)
        try invitations[index].checkOpen(at: date)
        invitations[index].revocation = Invitation.Revocation(by: admin, date: date)
        invitations[index].code = nil
        return invitations[index]
    }

    func index(of identifier: InvitationIdentifier) throws(InvitationRefusal) -> Int {
        guard let index = invitations.firstIndex(where: { $0.identifier == identifier }) else {
            throw .unknown
        }
        return index
    }

    private static func check(_ draft: InvitationDraft) throws(InvitationRefusal) {
        let name = draft.name
        guard PrintableText.isName(name, limit: nameLimit) else { throw .badName(name) }
        guard validities.contains(draft.validity) else { throw .badValidity(validities) }
        guard placesRange.contains(draft.uses) else { throw .badPlaces(placesRange) }
        guard draft.groups.count <= groupLimit else { throw .tooManyGroups(limit: groupLimit) }
    }
}
