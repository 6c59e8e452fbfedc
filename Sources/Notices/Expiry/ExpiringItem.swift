import Bundles
package import Foundation
package import Identifiers
package import Releases

/// An item that expires: a profile, a certificate or a token.
package struct ExpiringItem: Sendable, Equatable {
    package typealias Kind = ExpiringKind

    /// A bundle of a release that depends on the item.
    package struct Place: Codable, Sendable, Hashable {
        package let app: BundleIdentifier
        package let release: ReleaseIdentifier
        /// The bundle's path in the IPA.
        package let bundle: String
        /// The channels that now offer the release, sorted; empty for an old release.
        package let channels: [ChannelName]
    }

    package let kind: Kind
    /// A profile's UUID, a certificate's serial number, or the identifier of a token or an invitation.
    package let identifier: String
    package let name: String
    /// The team's name; nil if there is no team.
    package let team: String?
    package let begins: Date
    package let expires: Date
    /// Those that a channel offers come first.
    package let places: [Place]
    /// Whether its expiry affects something in use: a build that a channel offers, or, if no build has it,
    /// a profile that an admin added, what a team signs with, or a token.
    package let isInUse: Bool

    /// Identifies this item and this expiry date; a renewed certificate is a different item.
    package var key: String {
        "\(kind.rawValue) \(identifier) \(Int(expires.timeIntervalSince1970))"
    }

    /// The apps that are affected: those with offered builds or, if there are none, all apps that have used
    /// it.
    package var apps: [BundleIdentifier] {
        let offered = places.filter { !$0.channels.isEmpty }
        return Set((offered.isEmpty ? places : offered).map(\.app))
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// The effect of the expiry as a sentence, in the future tense before it and in the present tense after
    /// it.
    package func consequence(at date: Date) -> String {
        let isOver = expires <= date
        return switch kind {
        case .profile, .certificate:
            isOver
                ? "Builds signed with it no longer install or open."
                : "After that, builds signed with it no longer install or open."
        case .serverCertificate:
            isOver
                ? "Phones refuse to install from this server."
                : "After that, phones refuse to install from this server."
        case .token:
            isOver ? "Requests with it are refused." : "After that, requests with it are refused."
        case .invitation:
            isOver
                ? "It can no longer be used." : "After that, it can no longer be used."
        }
    }

    /// How an admin can fix it, as a sentence.
    package var fix: String {
        switch kind {
        case .profile: "Renew the profile at developer.apple.com, build again and publish."
        case .certificate:
            "Create a new certificate and profile at developer.apple.com, build again and publish."
        case .serverCertificate:
            "Replace the certificate file; the server uses the new one immediately."
        case .token: "Create a new one: ota tokens create."
        case .invitation: "Create a new one: ota devices invite."
        }
    }
}
