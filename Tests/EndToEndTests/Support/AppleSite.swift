import Foundation
import Sample
import TestSupport
import Testing

/// The App Store Connect test server as a separate process, and what people do on Apple's website.
struct AppleSite: Sendable {
    private struct Greeting: Decodable {
        let url, issuer, key: String
    }

    private struct Issued: Decodable {
        let pem: String
    }

    private struct Opened: Decodable {
        let issuer, key, pem: String
    }

    let url: String
    let issuer: String
    let keyID: String
    /// Has `AuthKey.p8`, `anchor.pem` for its TLS certificate, and `authority.pem` for the certificates that
    /// it issues.
    let folder: URL
    /// The URL for control orders.
    private let control: String

    /// Runs it in a folder while `body` runs, and checks that no request violated the contract.
    static func run(in folder: URL, _ body: (AppleSite) async throws -> Void) async throws {
        let program = try #require(Program(built: "AppleServer"))
        let running = try program.start([folder.path()], in: folder)
        defer { running.send(SIGKILL) }
        let line = try #require(await running.line())
        let greeting = try JSONDecoder().decode(Greeting.self, from: Data(line.utf8))
        let site = AppleSite(
            url: greeting.url,
            issuer: greeting.issuer,
            keyID: greeting.key,
            folder: folder,
            control: "control",
        )
        try await body(site)
        #expect(try await site.report().violations == [])
    }

    /// Opens another team's account on the same server; its key is in a folder of its own, and its
    /// certificates are issued by the same authority.
    func opening(accountOf team: DevelopmentTeam) async throws -> AppleSite {
        let order = #"{"team": "\#(team.identifier)", "name": "\#(team.name)"}"#
        let opened = try JSONDecoder().decode(
            Opened.self,
            from: Data(try await control("accounts", order).utf8),
        )
        let place = folder.appending(path: team.identifier, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for name in ["anchor.pem", "authority.pem"] {
            try FileManager.default.copyItem(
                at: folder.appending(path: name),
                to: place.appending(path: name),
            )
        }
        try Data(opened.pem.utf8).write(to: place.appending(path: "AuthKey.p8"))
        return AppleSite(
            url: url,
            issuer: opened.issuer,
            keyID: opened.key,
            folder: place,
            control: "control/accounts/\(team.identifier)",
        )
    }

    func path(_ name: String) -> String { folder.appending(path: name).path() }

    /// Sets traps, or does what people do on Apple's website, by a `ControlOrder` in JSON.
    func order(_ json: String) async throws {
        let answer = try await control("orders", json)
        #expect(answer.isEmpty, "\(answer)")
    }

    /// Returns a certificate of the account with its private key, in PEM, which expires after the given
    /// number of days.
    func identity(days: Double) async throws -> String {
        try await order(#"{"certificateDays": \#(days)}"#)
        let issued = try JSONDecoder().decode(
            Issued.self,
            from: Data(try await control("identities", "{}").utf8),
        )
        try await order(#"{"certificateDays": 365}"#)
        return issued.pem
    }

    /// Saves the account's state for ``returnToRemembered()``.
    func remember() async throws { _ = try await control("remember", "{}") }

    /// Restores the account's state, and forgets all requests and traps.
    func returnToRemembered() async throws { _ = try await control("return", "{}") }

    func report() async throws -> AppleReport {
        try JSONDecoder().decode(
            AppleReport.self,
            from: Data(try await control("state", nil).utf8),
        )
    }

    private func control(_ name: String, _ json: String?) async throws -> String {
        var arguments = ["-sS", "--cacert", path("anchor.pem"), "--max-time", "60"]
        if let json { arguments += ["--data-binary", json] }
        let outcome = try await Program(path: "/usr/bin/curl")
            .run(arguments + ["\(url)/\(control)/\(name)"], in: folder)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }
}
