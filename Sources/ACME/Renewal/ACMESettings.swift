package import Cryptography
import Essentials
package import HTTPCalling

/// The authority, as set by the options of `ota serve`.
package struct ACMESettings: Sendable {
    package var directory: ACMEDirectoryAddress
    /// The e-mail address to which the authority writes.
    package var email: String
    /// Trusted authorities in addition to the system's, both for connections to the ACME server and as
    /// roots of the certificates that it issues.
    package var anchors: [Certificate]
    /// The longest interval between two checks of the clock.
    package var look: Duration = .seconds(60)
    /// Sends the requests; nil for HTTPS connections.
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

    /// The transport for requests to the authority.
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
