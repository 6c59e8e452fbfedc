package import Cryptography
import Essentials

/// What `ota serve` was told about its authority.
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
    package var transport: (any ACMETransport)?

    package init(
        directory: ACMEDirectoryAddress = .letsEncrypt,
        email: String,
        anchors: [Certificate] = [],
    ) {
        self.directory = directory
        self.email = email
        self.anchors = anchors
    }
}
