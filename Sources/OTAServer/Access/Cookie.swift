import Bundles
import HTTPTypes

/// The cookies that the server sets: signed values that only it can make.
enum Cookie: Equatable {
    /// Somebody who administrates.
    case admin
    /// A tester's device.
    case device
    /// Somebody who knew the passphrase of one app.
    case app(BundleIdentifier)
    /// Somebody who was given a form.
    case form
    /// What an action says on the page that follows it, sealed.
    case told

    /// What every cookie's name begins with.
    static let prefix = "ota_"

    var name: String {
        switch self {
        case .admin: Self.prefix + "admin"
        case .device: Self.prefix + "device"
        case .app(let app): Self.prefix + "app_" + app.rawValue
        case .form: Self.prefix + "form"
        case .told: Self.prefix + "told"
        }
    }

    /// The value that a request carries; nil when there is none, or more than one.
    func value(in fields: HTTPFields) -> String? {
        var found: String?
        for field in fields[values: .cookie] {
            for pair in field.split(separator: ";") {
                let text = pair.drop { $0 == " " }
                guard text.hasPrefix(name + "=") else { continue }
                guard found == nil else { return nil }
                found = String(text.dropFirst(name.count + 1))
            }
        }
        return found
    }

    /// Whether a request's field carries any cookie of ours, so that its answer may be for one
    /// visitor alone.
    static func isAny(in field: String) -> Bool { field.contains(prefix) }

    /// The field that sets it for `seconds`, on paths below `path`.
    ///
    /// A tester comes back from Settings, which is another site to a browser, and opens links from
    /// messages: only `Lax` lets their cookies along. Nothing else may lead an admin here with theirs,
    /// or send a form of ours.
    func setting(_ value: String, for seconds: Int, path: String) -> String {
        let site =
            switch self {
            case .admin, .form, .told: "Strict"
            case .device, .app: "Lax"
            }
        return
            "\(name)=\(value); Max-Age=\(max(0, seconds)); Path=\(path.isEmpty ? "/" : path); "
            + "Secure; HttpOnly; SameSite=\(site)"
    }

    /// The field that takes it away.
    func clearing(path: String) -> String { setting("", for: 0, path: path) }
}
