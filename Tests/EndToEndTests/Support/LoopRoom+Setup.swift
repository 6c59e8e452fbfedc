import Foundation
import Sample
import TestSupport
import Testing

extension LoopRoom {
    /// Does what an admin does once: publishes a build, adds the team with its key and certificate, permits
    /// the server to work in the account, and sets the app's rules.
    ///
    /// - Parameters:
    ///   - app: the app to publish.
    ///   - account: account of the app's team; the room's own if nil.
    ///   - bundles: the bundles that have App IDs at Apple; all if nil.
    ///   - approval: `automatic` or `manual`.
    ///   - certificateDays: days until the team's certificate expires.
    /// - Throws: an error if a command fails.
    func setUp(
        _ app: LoopApp = .sample,
        at account: AppleSite? = nil,
        registering bundles: [String]? = nil,
        approval: String,
        certificateDays: Double = 365,
    ) async throws {
        let account = account ?? apple
        let team = app.team.identifier
        try await account.order(try app.registration(of: bundles))
        try await publish(app)
        let identity = try await account.identity(days: certificateDays)
        try Data(identity.utf8).write(to: folder.appending(path: "identity.pem"))
        try await ota(
            "teams",
            "add",
            team,
            "--api-key",
            account.path("AuthKey.p8"),
            "--issuer",
            account.issuer,
            "--key-id",
            account.keyID,
            "--identity",
            "identity.pem",
            "--trusted-ca",
            account.path("authority.pem"),
        )
        try await ota(
            "apps",
            "set",
            app.slug,
            "--team",
            team,
            "--signing",
            "automatic",
            "--approve",
            approval,
        )
        try await ota(
            "teams",
            "sync",
            team,
            "--yes",
            "--apple-url",
            apple.url,
            "--apple-ca-file",
            apple.path("anchor.pem"),
        )
    }

    /// Publishes the app as a developer's Mac signed it, for the devices that are registered there.
    private func publish(_ app: LoopApp) async throws {
        let cached = try SigningAuthority.cached()
        let now = Date()
        let authority =
            app.team.identifier == cached.team.identifier
            ? cached : try cached.authority(of: app.team, validFrom: now)
        try Data(authority.anchorPEM.utf8).write(to: folder.appending(path: "anchor.pem"))
        let build = folder.appending(path: "build.ipa").path()
        try await HeavyWork.run { try app.build(authority, now).build(to: build) }
        try await ota("publish", "build.ipa", "--trusted-ca", "anchor.pem", "--base-url", base)
    }
}
