import Addresses

/// The addresses of a server's name that a fetch may connect to, resolved and checked before `git` starts.
///
/// `git` and `ssh` connect to these and resolve nothing themselves, so that changing the name's addresses
/// after the check has no effect.
package struct FetchRoute: Sendable, Equatable {
    /// Settings that restrict `git` to the addresses (`http.curloptResolve`, since git 2.37).
    private(set) var settings: [Setting] = []
    /// Options for `ssh`, which accepts one address at a time, in the order in which they are tried.
    private(set) var sshOptions = [""]

    struct Setting: Sendable, Equatable {
        let key, value: String
    }

    /// No restriction: for a folder on this machine, a literal address, a server behind a proxy, or a git
    /// that is too old.
    static let unheld = FetchRoute()

    private init() {}

    /// Restricts HTTPS to the addresses of a name.
    init(https name: String, port: Int, at addresses: [InternetAddress]) {
        let list = addresses.map(\.inBrackets).joined(separator: ",")
        settings = [Setting(key: "http.curloptResolve", value: "\(name):\(port):\(list)")]
    }

    /// Restricts SSH to the addresses of a name, under which the host key stays known.
    init(ssh name: String, port: Int?, at addresses: [InternetAddress]) {
        let alias = port.map { $0 == 22 ? name : "[\(name)]:\($0)" } ?? name
        sshOptions = addresses.prefix(Self.attempts).map { address in
            " -o HostName=\(address) -o 'HostKeyAlias=\(alias)'"
        }
    }

    /// The number of addresses that `ssh` tries, one after the other.
    private static let attempts = 4
}

extension InternetAddress {
    fileprivate var inBrackets: String {
        if case .v6 = self { return "[\(self)]" }
        return description
    }
}
