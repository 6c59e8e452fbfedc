package import Cryptography
package import HTTPCalling

/// The address of App Store Connect, and the authorities trusted for its certificate.
package struct AppleConnection: Sendable {
    package var endpoint: AppleEndpoint
    /// Trusted authorities in addition to the system's, such as that of a proxy.
    package var authorities: [Certificate]

    package init(endpoint: AppleEndpoint = .apple, authorities: [Certificate] = []) {
        self.endpoint = endpoint
        self.authorities = authorities
    }

    /// Creates a client, whose connections are closed when it is deallocated.
    ///
    /// - Throws: ``AppleFailure/untrusted(reason:)`` for an authority that TLS cannot use.
    package func transport() throws(AppleFailure) -> any CallTransport {
        do throws(CallTrouble) {
            return try CallClient(authorities: authorities)
        } catch {
            throw AppleFailure(error)
        }
    }
}

extension AppleFailure {
    /// The failure for a request without a response.
    package init(_ trouble: CallTrouble) {
        self =
            switch trouble {
            case .untrusted(let reason): .untrusted(reason: reason)
            case .unreachable(let reason): .unreachable(reason: reason)
            case .tooSlow(let seconds): .tooSlow(seconds: seconds)
            case .answerTooLarge(let limit): .answerTooLarge(limit: limit)
            case .interrupted: .interrupted
            }
    }
}
