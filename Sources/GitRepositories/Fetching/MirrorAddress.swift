import Bytes
package import Problems

/// The address from which a repository is fetched.
///
/// `git` runs programs for some addresses, and `ssh` reads options from others. Accepted are
/// `https://host/path`, `ssh://user@host/path`, `user@host:path` and, if the admin allows it, an absolute
/// path on this machine.
package struct MirrorAddress: Hashable, Sendable, TextCoded {
    package enum Kind: Sendable { case https, ssh, file }

    /// The address as passed to `git`.
    package let description: String
    package let kind: Kind

    package static let kindOfText = "an address such as https://host/team/app.git"

    /// Accepts any address that documents may contain, including a folder on this machine.
    package init?(_ text: String) {
        do throws(AddressFlaw) {
            try self.init(checking: text, allowsFiles: true)
        } catch {
            return nil
        }
    }

    /// - Throws: ``AddressFlaw`` that says what is wrong with the address.
    package init(checking text: String, allowsFiles: Bool = false) throws(AddressFlaw) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 1000 else { throw .tooLong }
        guard text.first != "-" else { throw .option(text) }
        if let scalar = text.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
            throw .character(String(scalar))
        }
        guard !text.contains("::") else { throw .helper(text) }
        // A `file://` URL names the same folder; git is passed its path.
        let file = text.remainder(after: "file://").flatMap { $0.first == "/" ? String($0) : nil }
        let text = file ?? text
        description = text
        if text.hasPrefix("/") {
            guard allowsFiles else { throw .file }
            guard !text.split(separator: "/").contains("..") else { throw .climbs(text) }
            kind = .file
        } else if let rest = text.remainder(after: "https://") {
            try Self.check(rest, allowsUser: false)
            kind = .https
        } else if let rest = text.remainder(after: "ssh://") {
            try Self.check(rest, allowsUser: true)
            kind = .ssh
        } else if let colon = text.firstIndex(of: ":"), !text.contains("://") {
            // The scp-like form: user@host:path.
            let path = text[text.index(after: colon)...]
            try Self.check(text[..<colon] + "/" + path.drop { $0 == "/" }, allowsUser: true)
            guard path.first != "-" else { throw .option(String(path)) }
            kind = .ssh
        } else {
            throw .scheme(text)
        }
    }

    /// The server's host name; nil for a folder.
    package var host: String? {
        guard kind != .file else { return nil }
        let rest =
            description.remainder(after: "https://") ?? description.remainder(after: "ssh://")
        // In the scp-like form, the path follows a colon.
        let authority = (rest ?? description[...]).prefix { $0 != "/" }
        let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if server.hasPrefix("[") { return String(server.prefix { $0 != "]" } + "]") }
        return String(server.prefix { $0 != ":" })
    }

    /// `host` or `host:port`, in lower case; nil for a folder on this machine.
    package var server: String? {
        guard kind != .file else { return nil }
        let rest =
            description.remainder(after: "https://") ?? description.remainder(after: "ssh://")
        let authority =
            rest.map { $0.prefix { $0 != "/" } } ?? description.prefix { $0 != ":" }
        return authority.split(separator: "@").last?.lowercased()
    }

    /// The port in the address; nil for the default port.
    var port: Int? {
        guard let server, let host else { return nil }
        return server.dropFirst(host.utf8.count + 1).isEmpty
            ? nil : Int(server.dropFirst(host.utf8.count + 1))
    }

    /// Whether both addresses are on the same server: with the same port, or this one with the default
    /// port.
    func isOnServer(of other: MirrorAddress) -> Bool {
        server == other.server || server != nil && server == other.host?.lowercased()
    }

    /// Checks `host/path`, `host:port/path` and, for SSH, `user@host/path`.
    private static func check(_ rest: Substring, allowsUser: Bool) throws(AddressFlaw) {
        guard let slash = rest.firstIndex(of: "/") else { throw .noPath }
        let path = rest[slash...]
        guard path.count > 1 else { throw .noPath }
        guard !path.split(separator: "/").contains("..") else { throw .climbs(String(rest)) }
        var host = rest[..<slash]
        if let at = host.lastIndex(of: "@") {
            let user = host[..<at]
            guard allowsUser, !user.contains(":") else { throw .password }
            guard let first = user.first, first != "-" else { throw .option(String(user)) }
            host = host[host.index(after: at)...]
        }
        if let colon = host.lastIndex(of: ":"), host.last != "]" {
            guard let port = Int(host[host.index(after: colon)...]), (1...65535).contains(port)
            else { throw .host(String(host)) }
            host = host[..<colon]
        }
        guard let first = host.first, first.isLetter || first.isNumber || first == "[",
            host.allSatisfy({ $0.isLetter || $0.isNumber || ".-_[]:".contains($0) })
        else { throw .host(String(host)) }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "+", "-", "/", "@", ":", "~", "%", "=", "[",
            "]", ",":
            true
        default: false
        }
    }
}

extension String {
    fileprivate func remainder(after prefix: String) -> Substring? {
        lowercased().hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}

/// Why an address is not accepted.
package enum AddressFlaw: ReportableError, Hashable, Sendable {
    case empty
    case tooLong
    case option(String)
    case character(String)
    /// `ext::…` and similar addresses run programs.
    case helper(String)
    case scheme(String)
    case file
    case climbs(String)
    case noPath
    case host(String)
    /// A password in the address would appear in the process list, in logs and in backups.
    case password
}

extension AddressFlaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the address is empty"
        case .tooLong: "the address has more than 1000 characters"
        case .option(let text): "\(quoted: text) begins with a hyphen, as an option does"
        case .character(let text): "the address contains \(quoted: text)"
        case .helper(let text): "\(quoted: text) names a git helper program, not a server"
        case .scheme(let text): "\(quoted: text) is neither https:// nor ssh"
        case .file: "the address is a folder on this machine"
        case .climbs(let text): "\(quoted: text) has .. in its path"
        case .noPath: "the address names no repository on its server"
        case .host(let text): "\(quoted: text) is not a server name"
        case .password: "the address contains a user name or a password"
        }
    }

    package var id: String { "mirror.bad-address" }
    package var kind: Problem.Kind { .invalid }

    package var fix: String {
        switch self {
        // The message is the same on a server, where no admin can allow it.
        case .file:
            "give https://host/team/app.git or git@host:team/app.git; a folder is allowed only "
                + "without --server, and with --allow-file if you trust everyone who can write "
                + "there"
        case .password:
            "leave it out, and give it in a file with --credential-file, as git credential-store "
                + "writes it"
        default: "give https://host/team/app.git or git@host:team/app.git"
        }
    }
}
