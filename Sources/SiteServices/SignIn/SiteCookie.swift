import Bundles
package import HTTPTypes
package import Identifiers

/// The cookies that the server sets: signed values that only it can create.
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
    /// A sign-in at a provider that was started in this browser.
    case attempt

    /// The start of every cookie's name, after the prefix.
    fileprivate static let mark = "ota_"

    /// The cookie's name after the prefix that browsers enforce (RFC 6265bis 4.1.3).
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

    /// Returns the cookie's name with its prefix.
    ///
    /// `__Host-` keeps other hosts and plain HTTP from setting the cookie. It is not allowed below the
    /// path of a base URL; there `__Secure-` keeps plain HTTP from setting it.
    private func name(below path: String) -> String {
        (path.isEmpty ? "__Host-" : "__Secure-") + plainName
    }

    /// Returns the cookie's value in a request; nil if there is none, or more than one.
    ///
    /// - Parameters:
    ///   - fields: the request's fields.
    ///   - path: the base URL's path.
    /// - Returns: the value. Devices are remembered for a year, so their cookie is also read without a
    ///   prefix, from before there was one.
    package func value(in fields: HTTPFields, below path: String) -> String? {
        value(among: CarriedCookies(fields), below: path)
    }

    /// Returns the same for a request whose cookies have been parsed.
    package func value(among cookies: CarriedCookies, below path: String) -> String? {
        let value = cookies[name(below: path)]
        return value == nil && self == .device ? cookies[plainName] : value
    }

    /// Returns whether a `Cookie` field contains any cookie of ours, in which case the response may be
    /// for one visitor only.
    package static func isAny(in field: String) -> Bool {
        var rest = field.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "o")) {
            rest = rest[start...]
            if rest.starts(with: mark.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Returns the `Set-Cookie` value that sets it for `seconds`; `path` is the base URL's.
    ///
    /// Testers return from Settings, which browsers treat as another site, open links in messages, and
    /// return from a provider: only `Lax` cookies are sent then. Admin cookies are `Strict`: no other
    /// site may open an admin page with them, or send a form of ours.
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

    /// Returns the `Set-Cookie` value that removes it.
    package func clearing(path: String) -> String { setting("", for: 0, path: path) }
}

/// Our cookies in a request, parsed once: a page may ask about each of a thousand apps.
package struct CarriedCookies: Sendable {
    /// Values by the bytes of their names; nil for a name that occurs more than once.
    private var values: [ArraySlice<UInt8>: String?] = [:]

    /// Parses bytes, because a semicolon may be part of a Swift `Character`.
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
