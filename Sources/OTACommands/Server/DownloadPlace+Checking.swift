import Cryptography
import Problems
import Releases
import Store

extension DownloadPlace {
    /// Whether phones can install from there, found out before any tries.
    ///
    /// - Throws: ``Problem``, and `StoreFailure` for a store that cannot be asked.
    func check(for store: OTAStore) throws {
        switch self {
        case .server, .network: return
        case .store, .redirect: break
        }
        guard let address = try store.address(of: SHA256Digest(of: []), lasting: 60) else {
            throw Problem(
                id: "serve.downloads-need-bucket",
                kind: .invalid,
                message: "a store in a folder has no addresses of its own to download from",
                fix: "leave out --downloads, or keep the store in a bucket",
            )
        }
        guard address.hasPrefix("https://") else {
            throw Problem(
                id: "serve.downloads-need-tls",
                kind: .invalid,
                message: "the store has no https address, and phones install over nothing else",
                fix: "leave out --downloads, or give the store a certificate",
            )
        }
        guard self == .store, try !store.backend.answersHeadAtAddresses() else { return }
        throw Problem(
            id: "serve.downloads-need-head",
            kind: .invalid,
            message:
                "the store does not answer HEAD at an address that is signed for GET, but phones "
                + "send HEAD before they download",
            fix: "leave out --downloads, or give the address of a CDN before the store, or "
                + "--downloads redirect, which some versions of iOS do not follow",
        )
    }
}
