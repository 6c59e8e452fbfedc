import Bytes
package import Cryptography
import Essentials
import Identifiers
import Releases
import Sandboxing
import Signing
package import SigningOrders
package import Store

/// Has a process without network sign with the identity that a team keeps in the store.
///
/// The identity is opened for as long as it takes to hand it over.
package struct ChildSigner: BuildSigner {
    private let store: OTAStore
    private let process: SigningProcess
    private let keyFile: SealingKeyFile
    private let anchors: @Sendable () throws -> [Certificate]
    private let progress: @Sendable (Int, Int) -> Void

    /// - Parameters:
    ///   - process: starts the program that signs.
    ///   - store: where teams are.
    ///   - keyFile: what their identities are sealed with.
    ///   - anchors: authorities besides Apple's that profiles may come from, asked for each build.
    ///   - progress: gets the parts that are done and all parts, on another thread.
    package init(
        _ process: SigningProcess,
        for store: OTAStore,
        openingWith keyFile: SealingKeyFile,
        trusting anchors: @escaping @Sendable () throws -> [Certificate],
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
    ) {
        self.process = process
        self.progress = progress
        self.store = store
        self.keyFile = keyFile
        self.anchors = anchors
    }

    /// - Throws: ``ReleaseSigningRefusal``, `KeyFileRefusal`, `SealRefusal`, the `Problem` that the
    ///   process answers, and `SigningProcessFailure`.
    package func sign(_ work: SigningWork) async throws {
        let order = try await blocking { try signingOrder(for: work) }
        do {
            _ = try await process.run(order, as: Answer.self) { [progress] done, total in
                progress(done, total)
                work.progress(done, total)
            }
        } catch {
            // The process cannot remove what it began.
            _ = unsafe unlink(work.output)
            throw error
        }
    }

    /// What the process says of what it signed is found out by inspection all the same.
    private struct Answer: Codable, Sendable {}

    private func signingOrder(for work: SigningWork) throws -> SigningOrder {
        let key = try keyFile.key(for: store)
        guard let team = TeamIdentifier(work.team),
            let identity = try store.signingIdentity(of: team, with: key)
        else { throw ReleaseSigningRefusal.noIdentity(team: work.team) }
        // A process that was killed may have left something.
        _ = unsafe unlink(work.output)
        return SigningOrder(
            input: work.input,
            output: work.output,
            identity: identity,
            profiles: work.profiles.map(\.bytes),
            entitlements: work.entitlements,
            anchors: try anchors(),
            date: work.date,
        )
    }
}
