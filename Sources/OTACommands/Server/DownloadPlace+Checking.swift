import Bytes
import Cryptography
import Essentials
import HTTPCalling
import Problems
import Releases
import Store

extension DownloadPlace {
    /// Checks whether devices can download from this place, before any of them tries.
    ///
    /// - Parameters:
    ///   - store: the store with the builds.
    ///   - authorities: certificate authorities to trust in addition to the system’s.
    /// - Returns: what could not be checked, for the log; nil if everything was.
    /// - Throws: ``Problem``, and `StoreFailure` if the store cannot be read.
    func check(for store: OTAStore, trusting authorities: [Certificate]) throws -> String? {
        guard self != .server else { return nil }
        let address = try store.address(of: SHA256Digest(of: []), lasting: 60)
        guard let address else {
            throw Problem(
                id: "serve.downloads-need-bucket",
                kind: .invalid,
                message: "a store in a folder has no addresses of its own to download from",
                fix: "leave out --downloads, or keep the store in a bucket",
            )
        }
        if case .network(let base) = self {
            return try Self.check(base, for: store, trusting: authorities)
        }
        guard address.hasBytes(first: "https://") else {
            throw Problem(
                id: "serve.downloads-need-tls",
                kind: .invalid,
                message: "the store has no https address, and phones install only over HTTPS",
                fix: "leave out --downloads, or give the store a certificate",
            )
        }
        guard self == .store, try !store.backend.answersHeadAtAddresses() else { return nil }
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

    /// Downloads a release's icon over the network, as a device downloads a build.
    private static func check(
        _ base: BaseURL,
        for store: OTAStore,
        trusting authorities: [Certificate],
    ) throws -> String? {
        guard let icon = try Self.icon(in: store) else { return nil }
        let expected = try store.bytes(of: icon)
        let address = base.rawValue + "/" + store.path(of: icon)
        let client = try CallClient(authorities: authorities, connecting: 10)
        func answer(_ method: String) throws(CallTrouble) -> CallAnswer {
            try client.waitForAnswer(
                to: CallRequest(
                    method: method,
                    address: address,
                    headers: [:],
                    body: nil,
                    longestAnswer: expected.count + (64 << 10),
                    seconds: 20,
                )
            )
        }
        let head: CallAnswer
        let whole: CallAnswer
        do throws(CallTrouble) {
            head = try answer("HEAD")
            whole = try answer("GET")
        } catch {
            // It may be reachable again before a device asks.
            return "\(base), from which phones would download, cannot be reached: \(words(error))"
        }
        let size = head.headers["content-length"].flatMap { Int($0) }
        let reason: String? =
            if head.status != 200 {
                "HEAD is answered with status \(head.status)"
            } else if let size, size != expected.count {
                "HEAD says \(size.grouped) bytes instead of \(expected.count.grouped)"
            } else if whole.status != 200 {
                "GET is answered with status \(whole.status)"
            } else if whole.body != expected {
                "GET returns different bytes than the store has"
            } else {
                nil
            }
        guard let reason else { return nil }
        throw Problem(
            id: "serve.downloads-differ",
            kind: .invalid,
            message: "\(base) does not serve what the store has: \(reason)",
            place: address,
            fix:
                "let it read the store's folder in the bucket, below blobs/, or leave out --downloads",
        )
    }

    private static func icon(in store: OTAStore) throws -> SHA256Digest? {
        for app in try store.apps() {
            for channel in app.channels.keys.sorted() {
                if let release = try store.release(on: channel, of: app) {
                    return release.icons.small
                }
            }
        }
        return nil
    }
}

/// Why there was no response, as a clause.
private func words(_ trouble: CallTrouble) -> String {
    switch trouble {
    case .untrusted(let reason), .unreachable(let reason): reason
    case .tooSlow(let seconds): "no answer within \(seconds) seconds"
    case .answerTooLarge: "the answer is larger than what the store has"
    case .interrupted: "the request was interrupted"
    }
}
