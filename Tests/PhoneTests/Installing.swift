import Cryptography
import Foundation
import Phone
import Synchronization
import TestSupport

/// An attempt, with the requests that the server received.
struct Outcome {
    let attempt: SimulatedInstall
    let requests: [ScriptedRequest]
    /// The app's bytes on disk at the end of the attempt; nil if there is no file.
    let arrived: [UInt8]?
    /// The number of files left in the folder for downloads.
    let files: Int

    var faults: [FaultID] { attempt.faults.map(\.id) }
    var fatal: [FaultID] { attempt.faults.filter(\.isFatal).map(\.id) }
}

/// Lets a phone install from a site.
func install(
    from site: TestSite,
    behind security: ScriptedServer.Security? = nil,
    path: String = "/",
    host: String = "localhost",
    _ change: (inout SimulatedPhone) -> Void = { _ in },
) async throws -> Outcome {
    let authority = try TestAuthority.shared.get()
    let server = try security ?? ScriptedServer.Security(identity: authority.server())
    return try await withTemporaryFolder { folder in
        var phone = SimulatedPhone(downloads: folder, trusting: [authority.root.certificate])
        phone.timeouts = .init(connect: 30, idle: 30)
        change(&phone)
        let settled = phone
        return try await ScriptedServer.running(server, script: site.script) { server, port in
            let base = "https://\(host):\(port)"
            let target = path.contains(":") ? path.replacing("BASE", with: base) : base + path
            let attempt = await settled.install(from: target)
            return Outcome(
                attempt: attempt,
                requests: server.requests.withLock { $0 },
                arrived: attempt.installation.flatMap { try? Array(Data(contentsOf: $0.file)) },
                files: try FileManager.default.contentsOfDirectory(atPath: folder.path()).count,
            )
        }
    }
}
