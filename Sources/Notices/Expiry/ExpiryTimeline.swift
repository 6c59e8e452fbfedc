package import Access
package import Enrolment
package import Foundation
package import Identifiers
package import Inspection
package import Releases

/// Everything that expires, earliest first, computed from the contents of the store.
package struct ExpiryTimeline: Sendable, Equatable {
    package let items: [ExpiringItem]

    /// A release that channels now offer, with its inspection report.
    package struct Offer: Sendable {
        package let release: Release
        package let channels: [ChannelName]
        package let report: InspectionReport

        package init(release: Release, channels: [ChannelName], report: InspectionReport) {
            self.release = release
            self.channels = channels.sorted()
            self.report = report
        }
    }

    /// The certificate that devices see.
    package struct ServerCertificate: Sendable, Equatable {
        package let name: String
        /// The SHA-256 of the certificate, hexadecimal.
        package let fingerprint: String
        package let begins: Date
        package let expires: Date

        package init(name: String, fingerprint: String, begins: Date, expires: Date) {
            self.name = name
            self.fingerprint = fingerprint
            self.begins = begins
            self.expires = expires
        }
    }

    /// The input of the timeline.
    package struct Material: Sendable {
        package var profiles = ProfileRegister()
        package var offers: [Offer] = []
        package var tokens: [AccessToken] = []
        package var invitations: [Invitation] = []
        package var teams: [Team] = []
        package var serverCertificate: ServerCertificate?

        package init() {}
    }

    /// - Parameters:
    ///   - material: the input.
    ///   - date: the current time; expired invitations, and tokens that expired a while ago, are left out.
    package init(of material: Material, at date: Date) {
        self.init(
            Self.lasting(of: material),
            tokens: material.tokens,
            invitations: material.invitations,
            serverCertificate: material.serverCertificate,
            at: date,
        )
    }

    /// The expiring items of profiles, builds and teams, earliest first; independent of the current time.
    static func lasting(of material: Material) -> [ExpiringItem] {
        var draft = TimelineDraft()
        for record in material.profiles.byExpiry { draft.add(record) }
        for team in material.teams { draft.add(team) }
        for offer in material.offers where offer.release.withdrawal == nil { draft.add(offer) }
        return draft.items.sorted(by: isEarlier)
    }

    /// - Parameters:
    ///   - lasting: the expiring items of profiles, builds and teams, earliest first.
    ///   - tokens: access tokens; those that expired a while before `date` are left out.
    ///   - invitations: invitations; those that have expired by `date` are left out.
    ///   - serverCertificate: the certificate that devices see.
    ///   - date: the current time.
    init(
        _ lasting: [ExpiringItem],
        tokens: [AccessToken],
        invitations: [Invitation],
        serverCertificate: ServerCertificate?,
        at date: Date,
    ) {
        let others =
            tokens.compactMap { ExpiringItem($0, at: date) }
            + invitations.compactMap { ExpiringItem($0, at: date) }
            + (serverCertificate.map { [ExpiringItem($0)] } ?? [])
        var items: [ExpiringItem] = []
        items.reserveCapacity(lasting.count + others.count)
        var rest = lasting[...]
        for other in others.sorted(by: Self.isEarlier) {
            let earlier = rest.prefix { Self.isEarlier($0, other) }
            items += earlier
            items.append(other)
            rest = rest.dropFirst(earlier.count)
        }
        self.items = items + rest
    }

    private static func isEarlier(_ one: ExpiringItem, _ other: ExpiringItem) -> Bool {
        guard one.expires == other.expires else { return one.expires < other.expires }
        return (one.kind.rawValue, one.name, one.identifier)
            < (other.kind.rawValue, other.name, other.identifier)
    }

    /// Items in use that have expired, or expire within `seconds`.
    package func due(within seconds: TimeInterval, of date: Date) -> [ExpiringItem] {
        let limit = date.addingTimeInterval(seconds)
        return items.filter { $0.isInUse && $0.expires <= limit }
    }
}

extension ExpiringItem {
    fileprivate init?(_ token: AccessToken, at date: Date) {
        guard let expires = token.expires, token.revoked == nil else { return nil }
        // A token that expired long ago is only listed by `ota tokens list --all`.
        guard expires > date.addingTimeInterval(-Self.tokenMemory) else { return nil }
        self.init(
            kind: .token,
            identifier: token.identifier,
            name: token.name,
            team: nil,
            begins: token.created,
            expires: expires,
            places: [],
            isInUse: true,
        )
    }

    fileprivate init?(_ invitation: Invitation, at date: Date) {
        guard invitation.state(at: date) == .open else { return nil }
        self.init(
            kind: .invitation,
            identifier: "\(invitation.identifier)",
            name: invitation.name,
            team: nil,
            begins: invitation.created,
            expires: invitation.expires,
            places: [],
            isInUse: true,
        )
    }

    fileprivate init(_ certificate: ExpiryTimeline.ServerCertificate) {
        self.init(
            kind: .serverCertificate,
            identifier: certificate.fingerprint,
            name: certificate.name,
            team: nil,
            begins: certificate.begins,
            expires: certificate.expires,
            places: [],
            isInUse: true,
        )
    }

    /// Seconds for which a token is listed after its expiry.
    private static var tokenMemory: TimeInterval { 30 * 86_400 }
}
