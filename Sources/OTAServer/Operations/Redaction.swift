import Bundles

/// What the log must not give away: capabilities, queries, device identifiers.
enum Redaction {
    /// A request's target without its query, with capabilities shortened and devices masked.
    static func target(_ target: String) -> String {
        var path = String(target.prefix { $0 != "?" })
        if path.contains("%") { path = decoded(path) }
        for folder in ["/install/", "/enrol/"] where path.hasPrefix(folder) {
            let secret = path.dropFirst(folder.count).prefix { $0 != "/" }
            guard secret.count > 6 else { break }
            let rest = path.dropFirst(folder.count + secret.count)
            path = folder + secret.prefix(6) + "…" + rest
        }
        return DeviceUDID.masked(in: path) + (target.contains("?") ? "?…" : "")
    }

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2,
                let escaped = UInt8(digits, radix: 16)
            {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
