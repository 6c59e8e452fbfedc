import Addresses

/// How a fetch reaches its server: the addresses of the server's name, which were found and judged before
/// `git` starts.
///
/// `git` and `ssh` connect to these and resolve nothing themselves, so a name that changes after it was
/// judged gains nothing.
package struct FetchRoute: Sendable, Equatable {
    /// How `git` is bound to addresses (`http.curloptResolve`, since git 2.37).
    private(set) var settings: [Setting] = []
    /// Options for `ssh`, which takes one address at a time; in the order in which they are tried.
    private(set) var sshOptions = [""]

    struct Setting: Sendable, Equatable {
        let key, value: String
    }

    /// A folder of this machine, a literal address, or a server that a proxy connects to.
    static let unheld = FetchRoute()

    private init() {}

    /// Over https, to the addresses of a name.
    init(https name: String, port: Int, at addresses: [InternetAddress]) {
        let list = addresses.map(\.inBrackets).joined(separator: ",")
        settings = [Setting(key: "http.curloptResolve", value: "\(name):\(port):\(list)")]
    }

    /// Over ssh, to the addresses of a name, whose key stays known by that name.
    init(ssh name: String, port: Int?, at addresses: [InternetAddress]) {
        let alias = port.map { $0 == 22 ? name : "[\(name)]:\($0)" } ?? name
        sshOptions = addresses.prefix(Self.attempts).map { address in
            " -o HostName=\(address) -o 'HostKeyAlias=\(alias)'"
        }
    }

    /// How many addresses `ssh` is given, one after the other.
    private static let attempts = 4
}

extension InternetAddress {
    fileprivate var inBrackets: String {
        if case .v6 = self { return "[\(self)]" }
        return description
    }
}
