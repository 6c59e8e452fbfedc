import Cryptography
import Foundation
import ReleaseSigning
import SigningOrders
import Store

extension OTAStore {
    /// What signs on this machine: a process of this program.
    ///
    /// - Parameters:
    ///   - keyFile: what identities are sealed with; nil where none is named.
    ///   - anchors: authorities besides Apple's, and those that the store remembers.
    ///   - progress: gets the parts that are done and all parts, on another thread.
    /// - Returns: nil without a key file, and for a store that is no folder.
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
