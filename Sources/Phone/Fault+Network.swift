/// A phone's reaction to a failed connection.
extension Fault {
    init(_ failure: NetworkFailure, reaching address: WebAddress, shown screen: PhoneScreen) {
        let host = address.authority
        switch failure {
        case .hostUnknown:
            self = .failure(
                .hostUnknown,
                "the name \(address.host) has no address",
                shown: screen,
                fix: "Check the host name in the link, and the DNS that phones use.",
            )
        case .refused(let reason):
            self = .failure(
                .connectionRefused,
                "no connection to \(host): \(reason)",
                shown: screen,
                fix: "Start the server, and open the port to the network that phones are on.",
            )
        case .timedOut, .silent:
            self = .failure(
                .connectionTimedOut,
                failure == .timedOut
                    ? "\(host) did not accept a connection in time"
                    : "\(host) stopped answering",
                shown: screen,
                fix:
                    "Check the server, its firewall, and that phones are on a network that "
                    + "reaches it.",
            )
        case .handshake(let reason):
            self = .failure(
                .notTLS,
                "\(host) does not make a TLS connection: \(reason)",
                shown: screen,
                fix: "Serve HTTPS with TLS 1.2 or later on this port.",
            )
        case .untrusted(let reason):
            self = .failure(
                .refusedChain,
                "the certificates of \(host) are not accepted: \(reason)",
                shown: screen,
                fix: "Check the chain with openssl verify, and issue the certificates again.",
            )
        case .notHTTP(let reason):
            self = .failure(
                .notHTTP,
                "\(host) does not answer as HTTP/1.1: \(reason)",
                shown: screen,
                fix: "Check which program listens on this port.",
            )
        case .closedEarly:
            self = .broken("\(host) ended the connection before its answer was complete", screen)
        case .broken(let reason):
            self = .broken("the connection to \(host) broke: \(reason)", screen)
        case .disk(let reason):
            self = .failure(
                .archiveUnwritable,
                "the download cannot be stored: \(reason)",
                shown: screen,
                fix: "Free some space in the download folder, or choose another.",
            )
        }
    }

    private static func broken(_ message: String, _ screen: PhoneScreen) -> Fault {
        .failure(
            .connectionBroken,
            message,
            shown: screen,
            fix: "Check the logs of the server and of any proxy in front of it.",
        )
    }
}
