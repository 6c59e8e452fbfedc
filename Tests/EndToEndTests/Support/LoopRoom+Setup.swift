import Foundation
import Sample
import TestSupport
import Testing

extension LoopRoom {
    /// Does what an admin does once: a build, the team with its key and certificate, their word that
    /// the server may work there, and the app's rules.
    ///
    /// `approval` is `automatic` or `manual`; the team's certificate ends after so many days.
    func setUp(approval: String, certificateDays: Double = 365) async throws {
        let team = Self.team
        try await apple.order(#"{"bundleIDs": ["\#(Self.bundle)"]}"#)
        let authority = try SigningAuthority.cached()
        try Data(authority.anchorPEM.utf8).write(to: folder.appending(path: "anchor.pem"))
        let build = folder.appending(path: "build.ipa").path()
        try await HeavyWork.run {
            // As somebody's Mac signed it, for the device on their desk.
            try SampleApps.sample(by: authority, at: Date()).build(to: build)
        }
        try await ota("publish", "build.ipa", "--anchor", "anchor.pem", "--base-url", base)
        let identity = try await apple.identity(days: certificateDays)
        try Data(identity.utf8).write(to: folder.appending(path: "identity.pem"))
        try await ota(
            "teams",
            "add",
            team,
            "--api-key",
            apple.path("AuthKey.p8"),
            "--issuer",
            apple.issuer,
            "--key-id",
            apple.keyID,
            "--identity",
            "identity.pem",
            "--anchor",
            apple.path("authority.pem"),
        )
        try await ota(
            "apps",
            "set",
            "sample",
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
            "--apple-anchor",
            apple.path("anchor.pem"),
        )
    }
}
