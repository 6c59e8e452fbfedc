import Bundles
import Bytes
package import Essentials
package import Identifiers

/// The invitations of a team: `invitations.json`.
///
/// Every change is a function of the document, the moment and a source of randomness.
package struct InvitationRegister: Codable, Sendable, Equatable {
    /// How many may wait for their device at once.
    package static let openLimit = 200
    /// What becomes a device's name, in characters.
    package static let nameLimit = 50
    /// From a quarter of an hour to 90 days, in seconds.
    package static let validities: ClosedRange<TimeInterval> = 900...(90 * 86_400)
    /// How many devices one invitation may let in.
    package static let placesRange = 1...500
    /// How many places all open invitations may have together.
    package static let placesLimit = 5_000
    /// How many groups the devices of one invitation may join.
    package static let groupLimit = 20
    /// How long one that is used, revoked or expired is still listed, in seconds.
    package static let memory: TimeInterval = 30 * 86_400
    /// How many are listed at most, open ones and others.
    static let totalLimit = 2_000

    package var schema = 1
    /// The oldest first.
    package internal(set) var invitations: [Invitation]

    package init() {
        invitations = []
    }

    package subscript(identifier: InvitationIdentifier) -> Invitation? {
        invitations.first { $0.identifier == identifier }
    }

    /// Those that wait for their device.
    package func open(at date: Date) -> [Invitation] {
        invitations.filter { $0.state(at: date) == .open }
    }

    /// Makes an invitation with a link and a code that no other open one has.
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

    /// The invitation that a link is for, whatever its state.
    package subscript(token: LinkToken) -> Invitation? {
        let digest = token.digest
        return invitations.first { $0.tokens.contains(digest) }
    }

    /// The invitation that a link is for; notes when it was opened first.
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

    /// Notes which device enrolled; the same answer sent again finds that it was.
    ///
    /// - Throws: ``InvitationRefusal/usedByThisDevice`` when the same device asks again, which is
    ///   no reason to turn it away.
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

    /// Lets an invitation be used after all, for the device that used it was not taken in.
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
