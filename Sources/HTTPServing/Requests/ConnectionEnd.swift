package import NIOHTTP1

extension HTTPRequestHead {
    /// Whether the connection ends after the response (RFC 9112, 9.3), or this client's does because it asks
    /// for another protocol.
    ///
    /// NIO's `isKeepAlive` overlooks a `close` with a tab behind it.
    package var endsConnection: Bool {
        if headers.contains(name: "upgrade") { return true }
        var persists = version.major == 1 && version.minor >= 1
        for value in headers["connection"] {
            for option in value.utf8.split(separator: UInt8(ascii: ",")) {
                switch String(Substring(option.trimmingBlanks)).lowercased() {
                case "close": return true
                case "keep-alive": persists = true
                default: break
                }
            }
        }
        return !persists
    }
}

extension Substring.UTF8View {
    fileprivate var trimmingBlanks: Substring.UTF8View {
        var text = self
        while let byte = text.first, byte.isBlank { text.removeFirst() }
        while let byte = text.last, byte.isBlank { text.removeLast() }
        return text
    }
}
