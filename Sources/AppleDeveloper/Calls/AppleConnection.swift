package import Cryptography
package import HTTPCalling

/// How this machine reaches App Store Connect: at which address, and by which authorities.
package struct AppleConnection: Sendable {
    package var endpoint: AppleEndpoint
    /// Authorities of the server's certificate besides the system's, such as that of a proxy.
    package var authorities: [Certificate]

    package init(endpoint: AppleEndpoint = .apple, authorities: [Certificate] = []) {
        self.endpoint = endpoint
        self.authorities = authorities
    }

    /// A client of its own, whose connections are closed when it is no longer referenced.
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
    /// What it means that there is no answer.
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
