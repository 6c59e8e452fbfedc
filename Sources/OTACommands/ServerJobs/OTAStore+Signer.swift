import Cryptography
import Foundation
import ReleaseSigning
import SigningOrders
import Store

extension OTAStore {
    /// Returns the signer of this machine, which runs a process of this program.
    ///
    /// - Parameters:
    ///   - keyFile: the key file with which identities are sealed; nil if none is configured.
    ///   - anchors: authorities in addition to Apple's and those in the store.
    ///   - progress: receives the number of completed parts and of all parts, on another thread.
    /// - Returns: nil without a key file, and for a store without a folder on this machine.
    func signer(
        openingWith keyFile: SealingKeyFile?,
        trusting anchors: [Certificate] = [],
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
    ) -> (any BuildSigner)? {
        guard let program = Bundle.main.executablePath, let keyFile,
            let folder = workFolder
        else { return nil }
        return ChildSigner(
            SigningProcess(program: program, in: folder.root),
            for: self,
            openingWith: keyFile,
            trusting: { [self] in try anchors + self.anchors() },
            progress: progress,
        )
    }
}
