package import Access
package import Enrolment
package import Foundation
package import Identifiers
package import Inspection
package import Releases

/// Everything that ends, the earliest first; a function of what the store has.
package struct ExpiryTimeline: Sendable, Equatable {
    package let items: [ExpiringItem]

    /// A release that channels offer now, with what was found in it.
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

    /// The certificate that phones see.
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

    /// What to look at.
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
    ///   - material: what to look at.
    ///   - date: tokens and invitations that are over by then are left out.
    package init(of material: Material, at date: Date) {
        var draft = TimelineDraft()
        for record in material.profiles.byExpiry { draft.add(record) }
        for team in material.teams { draft.add(team) }
        for offer in material.offers where offer.release.withdrawal == nil { draft.add(offer) }
        let others =
            material.tokens.compactMap { ExpiringItem($0, at: date) }
            + material.invitations.compactMap { ExpiringItem($0, at: date) }
            + (material.serverCertificate.map { [ExpiringItem($0)] } ?? [])
        items = (draft.items + others).sorted {
            ($0.expires, $0.kind.rawValue, $0.name, $0.identifier)
                < ($1.expires, $1.kind.rawValue, $1.name, $1.identifier)
        }
    }

    /// What is in use and has ended, or ends within `seconds`.
    package func due(within seconds: TimeInterval, of date: Date) -> [ExpiringItem] {
        let limit = date.addingTimeInterval(seconds)
        return items.filter { $0.isInUse && $0.expires <= limit }
    }
}

extension ExpiringItem {
    fileprivate init?(_ token: AccessToken, at date: Date) {
        guard let expires = token.expires, token.revoked == nil else { return nil }
        // A token that expired long ago is history, and listed by `ota tokens list --all`.
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

    /// Seconds that a token is listed after its end.
    private static var tokenMemory: TimeInterval { 30 * 86_400 }
}
