import HTTPTypes

/// The cookies that the server sets: signed values that only it can make.
enum Cookie: String {
    /// Somebody who administrates.
    case admin = "ota_admin"
    /// A tester's device.
    case device = "ota_device"
    /// What an action says on the page that follows it, sealed.
    case told = "ota_told"

    /// The value that a request carries; nil when there is none, or more than one.
    func value(in fields: HTTPFields) -> String? {
        var found: String?
        for field in fields[values: .cookie] {
            for pair in field.split(separator: ";") {
                let text = pair.drop { $0 == " " }
                guard text.hasPrefix(rawValue + "=") else { continue }
                guard found == nil else { return nil }
                found = String(text.dropFirst(rawValue.count + 1))
            }
        }
        return found
    }

    /// The field that sets it for `seconds`, on paths below `path`.
    ///
    /// A tester comes back from Settings, which is another site to a browser: only `Lax` lets the
    /// device's cookie along. Nothing else may lead an admin here with theirs.
    func setting(_ value: String, for seconds: Int, path: String) -> String {
        let site = self == .device ? "Lax" : "Strict"
        return
            "\(rawValue)=\(value); Max-Age=\(max(0, seconds)); Path=\(path.isEmpty ? "/" : path); "
            + "Secure; HttpOnly; SameSite=\(site)"
    }

    /// The field that takes it away.
    func clearing(path: String) -> String { setting("", for: 0, path: path) }
}
