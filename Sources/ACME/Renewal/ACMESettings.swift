package import Cryptography
import Essentials
package import HTTPCalling

/// What the options of `ota serve` say about its authority.
package struct ACMESettings: Sendable {
    package var directory: ACMEDirectoryAddress
    /// The address that the authority writes to.
    package var email: String
    /// Authorities to trust beside the system's: for the connection to this one, and as roots of what it
    /// issues.
    package var anchors: [Certificate]
    /// The longest time between two readings of the clock.
    package var look: Duration = .seconds(60)
    /// What carries requests; nil for connections over HTTPS.
    package var transport: (any CallTransport)?

    package init(
        directory: ACMEDirectoryAddress = .letsEncrypt,
        email: String,
        anchors: [Certificate] = [],
    ) {
        self.directory = directory
        self.email = email
        self.anchors = anchors
    }

    /// What carries requests to the authority.
    ///
    /// - Throws: ``ACMEFailure/untrusted(host:reason:)`` for an anchor that TLS cannot use.
    package func connection() throws(ACMEFailure) -> any CallTransport {
        if let transport { return transport }
        do throws(CallTrouble) {
            return try CallClient(authorities: anchors)
        } catch {
            throw ACMEFailure(error, from: "the authority")
        }
    }
}
