@testable import AppleDeveloper
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import TestSupport
import Testing

/// The App Store Connect test server in a process of its own, and a test's control of it.
struct RunningAppleServer {
    private struct Greeting: Decodable {
        let url: String
        let issuer: String
        let key: String
    }

    let endpoint: AppleEndpoint
    let key: TeamAPIKey
    /// The authorities of the server's own TLS certificate.
    let anchors: [Certificate]
    /// The authorities of profiles and certificates.
    let authorities: [Certificate]
    let folder: URL

    /// Runs a server while `body` runs.
    ///
    /// - Parameters:
    ///   - keepsContract: whether every request and every response must satisfy the contract.
    ///   - body: is called with the running server.
    /// - Returns: what `body` returns.
    /// - Throws: the errors of `body`, and an error if the server does not start.
    static func run<Result>(
        keepsContract: Bool = true,
        _ body: (RunningAppleServer) async throws -> Result,
    ) async throws -> Result {
        try await withTemporaryFolder { folder in
            let program = try #require(Program(built: "AppleServer"))
            let running = try program.start([folder.path()], in: folder)
            let line = try #require(await running.line())
            let greeting = try JSONDecoder().decode(Greeting.self, from: Data(line.utf8))
            let read = { (name: String) in
                try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            }
            let server = RunningAppleServer(
                endpoint: try AppleEndpoint(greeting.url),
                key: try TeamAPIKey(
                    issuer: greeting.issuer,
                    identifier: greeting.key,
                    pem: try read("AuthKey.p8"),
                ),
                anchors: try Certificate.chain(pem: try read("anchor.pem")),
                authorities: try Certificate.chain(pem: try read("authority.pem")),
                folder: folder,
            )
            do {
                let result = try await body(server)
                if keepsContract { #expect(try await server.report().violations == []) }
                running.send(SIGKILL)
                _ = try await running.status()
                return result
            } catch {
                running.send(SIGKILL)
                _ = try await running.status()
                throw error
            }
        }
    }

    /// Passes an account on the server to `body`; pauses take no time.
    func account<Result>(
        trusting anchors: [Certificate]? = nil,
        limits: CallLimits = CallLimits(),
        clock: PausingClock = PausingClock(Date()),
        policy: RetryPolicy = RetryPolicy(),
        _ body: (DeveloperAccount) async throws -> Result,
    ) async throws -> Result {
        let account = DeveloperAccount(
            key: key,
            mark: try #require(TestAccount.mark),
            endpoint: endpoint,
            transport: try CallClient(authorities: anchors ?? self.anchors),
            limits: limits,
            policy: policy,
            timing: clock.timing,
        )
        return try await body(account)
    }

    /// Sets traps, or does what people do on Apple's website, by a `ControlOrder` in JSON.
    func order(_ json: String) async throws {
        let (status, body) = try await control("/control/orders", json)
        #expect(status == 204, "\(String(decoding: body, as: UTF8.self))")
    }

    func report() async throws -> AppleReport {
        let (_, body) = try await control("/control/state", nil)
        return try JSONDecoder().decode(AppleReport.self, from: Data(body))
    }

    private func control(_ path: String, _ json: String?) async throws -> (Int, [UInt8]) {
        let answer = try await CallClient(authorities: anchors).answer(
            to: CallRequest(
                method: json == nil ? "GET" : "POST",
                address: endpoint.origin + path,
                body: json.map { Array($0.utf8) },
                longestAnswer: 16 << 20,
                seconds: 60,
            )
        )
        return (answer.status, answer.body)
    }
}
