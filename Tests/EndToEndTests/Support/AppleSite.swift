import Foundation
import TestSupport
import Testing

/// The test server of Apple's API as a process of its own, and what people do on Apple's website.
struct AppleSite: Sendable {
    private struct Greeting: Decodable {
        let url, issuer, key: String
    }

    private struct Issued: Decodable {
        let pem: String
    }

    /// What the server knows.
    struct Report: Decodable {
        struct Resource: Decodable {
            struct Attributes: Decodable {
                let name, udid, status, identifier, profileState, serialNumber: String?
            }

            let id: String
            let attributes: Attributes
        }

        struct Request: Decodable {
            let method, path: String
            let status: Int
        }

        let devices, bundleIds, certificates, profiles: [Resource]
        /// Identifiers of the devices that a profile lists, by what Apple calls the profile.
        let profileDevices: [String: [String]]
        let requests: [Request]
        let violations: [String]
        let trapsLeft: Int

        /// How many requests were done that create something, or remove it.
        func done(_ method: String, _ kind: String) -> Int {
            requests.count {
                $0.method == method && $0.path.hasPrefix("/v1/\(kind)")
                    && (200..<300).contains($0.status)
            }
        }
    }

    let url: String
    let issuer: String
    let keyID: String
    /// `AuthKey.p8`, `anchor.pem` of its address and `authority.pem` of what it issues.
    let folder: URL

    /// Runs it in a folder while `body` runs; every request must have kept to the contract.
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
        )
        try await body(site)
        #expect(try await site.report().violations == [])
    }

    func path(_ name: String) -> String { folder.appending(path: name).path() }

    /// Sets traps, or does what people do on Apple's website; a `ControlOrder` in JSON.
    func order(_ json: String) async throws {
        let answer = try await control("orders", json)
        #expect(answer.isEmpty, "\(answer)")
    }

    /// A certificate of the account with its private key, in PEM; it ends after so many days.
    func identity(days: Double) async throws -> String {
        try await order(#"{"certificateDays": \#(days)}"#)
        let issued = try JSONDecoder().decode(
            Issued.self,
            from: Data(try await control("identities", "{}").utf8),
        )
        try await order(#"{"certificateDays": 365}"#)
        return issued.pem
    }

    /// Keeps the account as it is, for ``returnToRemembered()``.
    func remember() async throws { _ = try await control("remember", "{}") }

    /// The account is as it was, and no request was made and no trap is set.
    func returnToRemembered() async throws { _ = try await control("return", "{}") }

    func report() async throws -> Report {
        try JSONDecoder().decode(
            Report.self,
            from: Data(try await control("state", nil).utf8),
        )
    }

    private func control(_ name: String, _ json: String?) async throws -> String {
        var arguments = ["-sS", "--cacert", path("anchor.pem"), "--max-time", "60"]
        if let json { arguments += ["--data-binary", json] }
        let outcome = try await Program(path: "/usr/bin/curl")
            .run(arguments + ["\(url)/control/\(name)"], in: folder)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }
}
