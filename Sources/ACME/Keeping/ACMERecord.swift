package import Essentials

/// What is kept of the certificate's upkeep: `keys/acme.json`.
///
/// Every step of an order is written before the next one begins, so that a process which ends at any of
/// them is continued by the next. The document holds the private key of an order, so it is one of the
/// keys, which only their owner may read.
package struct ACMERecord: Codable, Equatable, Sendable {
    var schema = 1
    /// The directory of the authority that account and order belong to.
    var directory: String
    /// The address of the account.
    var account: String?
    /// The address that the account names for notices.
    var contact: String?
    var order: PendingOrder?
    /// When the kept certificate is renewed.
    var renewal: KeptRenewal?
    /// Why there is no new certificate yet.
    package internal(set) var trouble: ACMETrouble?
    /// The proof that was accepted last.
    var challenge: ACMEChallengeKind?

    init(directory: String) {
        self.directory = directory
    }

    /// The same for another authority, which knows neither account nor order.
    mutating func turn(to directory: String) {
        guard self.directory != directory else { return }
        let renewal = renewal
        self = ACMERecord(directory: directory)
        self.renewal = renewal
    }
}

/// An order that the authority has accepted.
struct PendingOrder: Codable, Equatable, Sendable {
    /// Its address.
    let url: String
    /// Host names, sorted.
    let names: [String]
    /// The private key of the certificate, in PEM form.
    let key: String
    /// Tokens of challenges over HTTP that the authority may ask for now.
    var tokens: [String] = []
}

/// When a certificate is renewed.
struct KeptRenewal: Codable, Equatable, Sendable {
    /// The SHA-256 of the certificate, hexadecimal.
    let certificate: String
    /// The directory of the authority that issued it.
    let directory: String
    /// Chosen once, so that a restart does not choose again.
    var date: Date
    /// What the authority suggests, where it does.
    var window: RenewalWindow?
    /// When to ask the authority again what it suggests.
    var nextLook: Date
}

/// The attempts since the last one that succeeded.
package struct ACMETrouble: Codable, Equatable, Sendable {
    package struct Failure: Codable, Equatable, Sendable {
        /// The proof that was tried; nil where the attempt did not come so far.
        package let challenge: ACMEChallengeKind?
        /// Stable, such as `acme.port-unreachable`.
        package let id: String
        package let message: String
        package let fix: String
        /// Whether it lasts until an admin acts.
        package let needsPerson: Bool
    }

    package var attempts: Int
    /// Of the first attempt that failed.
    package var since: Date
    package var last: Date
    package var next: Date
    /// Before when the authority takes no further request, where it said so.
    package var notBefore: Date?
    /// The last attempt's first, then that of the other proof.
    package var failures: [Failure]
    /// Whether the activity has it.
    package var isAnnounced: Bool
}
