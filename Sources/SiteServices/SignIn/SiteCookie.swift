import Bundles
package import HTTPTypes
package import Identifiers

/// The cookies that the server sets: signed values that only it can make.
package enum SiteCookie: Equatable {
    /// An admin who is signed in.
    case admin
    /// A tester's device.
    case device
    /// A person who has signed in as a tester.
    case tester
    /// A browser that entered the passphrase of one app.
    case app(BundleIdentifier)
    /// A browser that received a form.
    case form
    /// The flash message of an action, sealed for the session.
    case flash
    /// A sign-in at a provider that this browser has begun.
    case attempt

    /// What every cookie's name has in it.
    fileprivate static let mark = "ota_"

    /// What the cookie is called behind the prefix that browsers watch over (RFC 6265bis 4.1.3).
    private var plainName: String {
        switch self {
        case .admin: Self.mark + "admin"
        case .device: Self.mark + "device"
        case .tester: Self.mark + "tester"
        case .app(let app): Self.mark + "app_" + app.rawValue
        case .form: Self.mark + "form"
        case .flash: Self.mark + "flash"
        case .attempt: Self.mark + "attempt"
        }
    }

    /// With `__Host-` no other host and no plain HTTP can set it; below the path of a base URL, which
    /// that prefix does not allow, `__Secure-` keeps plain HTTP from setting it.
    private func name(below path: String) -> String {
        (path.isEmpty ? "__Host-" : "__Secure-") + plainName
    }

    /// The value that a request carries; nil when there is none, or more than one.
    ///
    /// - Parameters:
    ///   - fields: of the request's head.
    ///   - path: of the base URL.
    /// - Returns: the value. Devices are known for a year, so theirs is also read from before there was
    ///   a prefix.
    package func value(in fields: HTTPFields, below path: String) -> String? {
        value(among: CarriedCookies(fields), below: path)
    }

    /// The same of a request whose cookies have been read.
    package func value(among cookies: CarriedCookies, below path: String) -> String? {
        let value = cookies[name(below: path)]
        return value == nil && self == .device ? cookies[plainName] : value
    }

    /// Whether a request's field carries any cookie of ours, so that its answer may be for one
    /// visitor alone.
    package static func isAny(in field: String) -> Bool {
        var rest = field.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "o")) {
            rest = rest[start...]
            if rest.starts(with: mark.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// The field that sets it for `seconds`, where `path` is the base URL's.
    ///
    /// A tester comes back from Settings, which is another site to a browser, and opens links from
    /// messages: only `Lax` lets their cookies along, and so it is with what a provider sends back. Nothing else may lead an admin here with theirs,
    /// or send a form of ours.
    package func setting(_ value: String, for seconds: Int, path: String) -> String {
        let site =
            switch self {
            case .admin, .form, .flash: "Strict"
            case .device, .tester, .app, .attempt: "Lax"
            }
        return
            "\(name(below: path))=\(value); Max-Age=\(max(0, seconds)); Path=\(path.isEmpty ? "/" : path); "
            + "Secure; HttpOnly; SameSite=\(site)"
    }

    /// The field that removes it.
    package func clearing(path: String) -> String { setting("", for: 0, path: path) }
}

/// The cookies of ours that a request carries, read once: a page may ask about each of a thousand apps.
package struct CarriedCookies: Sendable {
    /// By the bytes of their names; nil for one that came more than once.
    private var values: [ArraySlice<UInt8>: String?] = [:]

    /// By bytes: no character takes a semicolon along.
    package init(_ fields: HTTPFields) {
        for field in fields[values: .cookie] where SiteCookie.isAny(in: field) {
            for pair in Array(field.utf8).split(separator: UInt8(ascii: ";")) {
                let text = pair.drop { $0 == UInt8(ascii: " ") }
                guard let end = text.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = text[..<end]
                let value = String(decoding: text[(end + 1)...], as: UTF8.self)
                values.updateValue(values[name] == nil ? value : nil, forKey: name)
            }
        }
    }

    fileprivate subscript(name: String) -> String? {
        guard !values.isEmpty else { return nil }
        return values[Array(name.utf8)[...]] ?? nil
    }
}
