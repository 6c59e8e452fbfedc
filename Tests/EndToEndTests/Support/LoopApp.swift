import Foundation
import Sample

/// An app of the closed loop: its bundles, and its team.
struct LoopApp: Sendable {
    /// A capability that people enable for an App ID at Apple.
    struct Capability: Encodable {
        let bundleID: String
        let type: String
        var values: [String] = []
    }

    /// What people enter at Apple, as a `ControlOrder`.
    private struct Registration: Encodable {
        let bundleIDs: [String]
        let capabilities: [Capability]
    }

    /// The name in its page's path.
    let slug: String
    /// The bundle identifiers, each with an App ID, the app's own first.
    let bundles: [String]
    let team: DevelopmentTeam
    var capabilities: [Capability] = []
    /// Builds the app with the signature of a developer's Mac.
    let build: @Sendable (SigningAuthority, Date) -> IPABuilder

    static let sample = LoopApp(
        slug: "sample",
        bundles: ["com.example.ota-sample"],
        team: .sample,
    ) { SampleApps.sample(by: $0, at: $1) }

    /// Forks, whose extensions and watch app have a profile each.
    static let forks = LoopApp(
        slug: "forks",
        bundles: [
            "com.example.forks", "com.example.forks.ForksWidget", "com.example.forks.ForksShare",
            "com.example.forks.ForksLiveActivity", "com.example.forks.watchkitapp",
            "com.example.forks.watchkitapp.ForksComplication",
        ],
        team: .sample,
        capabilities: [
            Capability(bundleID: "com.example.forks", type: "PUSH_NOTIFICATIONS"),
            grouped("com.example.forks"), grouped("com.example.forks.ForksWidget"),
            grouped("com.example.forks.ForksShare"),
            grouped("com.example.forks.ForksLiveActivity"),
        ],
    ) { SampleApps.forks(by: $0, at: $1) }

    /// Browsey, from another team.
    static let browsey = LoopApp(
        slug: "browsey",
        bundles: ["com.vforsh.browsey"],
        team: .other,
    ) { SampleApps.browsey(by: $0, at: $1) }

    private static func grouped(_ bundle: String) -> Capability {
        Capability(bundleID: bundle, type: "APP_GROUPS", values: ["group.com.example.forks"])
    }

    /// The path of its page, relative to the base URL.
    var page: String { "/apps/\(slug)" }

    /// What people enter at Apple so that profiles can be created, for all of its bundles or some.
    func registration(of bundles: [String]? = nil) throws -> String {
        let registered = bundles ?? self.bundles
        let order = Registration(
            bundleIDs: registered,
            capabilities: capabilities.filter { registered.contains($0.bundleID) },
        )
        return String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
    }
}
