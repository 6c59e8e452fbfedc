package import Essentials

/// The stored state of certificate renewal: `keys/acme.json`.
///
/// Every step of an order is written before the next one begins, so that another process can continue
/// after a crash. The document contains the private key of an order, so it is among the keys, which only
/// their owner can read.
package struct ACMERecord: Codable, Equatable, Sendable {
    var schema = 1
    /// The directory URL of the authority for the account and the order.
    var directory: String
    /// The URL of the account.
    var account: String?
    /// The account's contact URL for notices.
    var contact: String?
    var order: PendingOrder?
    /// When the stored certificate is to be renewed.
    var renewal: KeptRenewal?
    /// Why there is no new certificate yet; nil after a success.
    package internal(set) var trouble: ACMETrouble?
    /// The challenge that last succeeded.
    var challenge: ACMEChallengeKind?

    init(directory: String) {
        self.directory = directory
    }

    /// Resets the account and the order if the authority is another one.
    mutating func turn(to directory: String) {
        guard self.directory != directory else { return }
        let renewal = renewal
        self = ACMERecord(directory: directory)
        self.renewal = renewal
    }
}

/// An order accepted by the authority.
struct PendingOrder: Codable, Equatable, Sendable {
    /// The URL of the order.
    let url: String
    /// The host names, sorted.
    let names: [String]
    /// The private key for the certificate, in PEM form.
    let key: String
    /// Tokens of HTTP challenges that the authority may request now.
    var tokens: [String] = []
}

/// The renewal schedule of a certificate.
struct KeptRenewal: Codable, Equatable, Sendable {
    /// The SHA-256 of the certificate in hexadecimal.
    let certificate: String
    /// The directory URL of the authority that issued it.
    let directory: String
    /// Stored so that a restart does not choose another date.
    var date: Date
    /// The authority's suggestion; nil without one.
    var window: RenewalWindow?
    /// When to request the authority's suggestion again.
    var nextLook: Date
}

/// The failed attempts since the last success.
package struct ACMETrouble: Codable, Equatable, Sendable {
    package struct Failure: Codable, Equatable, Sendable {
        /// The challenge that was tried; nil when the attempt failed before.
        package let challenge: ACMEChallengeKind?
        /// Stable across releases, such as `acme.port-unreachable`.
        package let id: String
        package let message: String
        package let fix: String
        /// Whether it persists until an admin acts.
        package let needsPerson: Bool
    }

    package var attempts: Int
    /// The time of the first failed attempt.
    package var since: Date
    package var last: Date
    package var next: Date
    /// The time before which the authority accepts no further request; nil if it gave none.
    package var notBefore: Date?
    /// The failure of the last attempt, then that of the other challenge.
    package var failures: [Failure]
    /// Whether the activity has an entry for it.
    package var isAnnounced: Bool
}
