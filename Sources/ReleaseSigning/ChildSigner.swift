import Bytes
package import Cryptography
import Essentials
import Identifiers
import Releases
import Sandboxing
import Signing
package import SigningOrders
package import Store

/// Signs in a process without network access, with the identity that a team has in the store.
///
/// The identity is decrypted only to pass it on.
package struct ChildSigner: BuildSigner {
    private let store: OTAStore
    private let process: SigningProcess
    private let keyFile: SealingKeyFile
    private let anchors: @Sendable () throws -> [Certificate]
    private let progress: @Sendable (Int, Int) -> Void

    /// - Parameters:
    ///   - process: starts the signing program.
    ///   - store: the store with the teams.
    ///   - keyFile: the key with which their identities are sealed.
    ///   - anchors: trusted authorities for profiles in addition to Apple's, read for each build.
    ///   - progress: called on another thread with the number of completed parts, and the total.
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
    ///   process reports, and `SigningProcessFailure`.
    package func sign(_ work: SigningWork) async throws {
        let order = try await blocking { try signingOrder(for: work) }
        do {
            _ = try await process.run(order, as: Answer.self) { [progress] done, total in
                progress(done, total)
                work.progress(done, total)
            }
        } catch {
            // The process itself is not allowed to remove files.
            _ = unsafe unlink(work.output)
            throw error
        }
    }

    /// The process's result is not needed, because the signed archive is inspected anyway.
    private struct Answer: Codable, Sendable {}

    private func signingOrder(for work: SigningWork) throws -> SigningOrder {
        let key = try keyFile.key(for: store)
        guard let team = TeamIdentifier(work.team),
            let identity = try store.signingIdentity(of: team, with: key)
        else { throw ReleaseSigningRefusal.noIdentity(team: work.team) }
        // A killed process may have left a file.
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
