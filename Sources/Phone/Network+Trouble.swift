import Bytes

extension Network {
    /// The message of an `ota` server about its certificate, such as why an authority does not issue one.
    ///
    /// - Parameter address: an address on the server, which may be untrusted: its message is only shown.
    /// - Returns: one line of limited length; nil when the server reports nothing.
    func certificateTrouble(at address: WebAddress) async -> String? {
        let place = "https://\(address.authority)/readyz"
        guard let readiness = WebAddress(place),
            let answer = try? await fetch(
                Request(address: readiness, fields: [], verifies: false),
                limit: Self.longestReadiness,
            ), answer.status == 200
        else { return nil }
        // The prefix that `CertificateHealth` writes.
        let mark = "certificate: "
        let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix(mark) }) else { return nil }
        let words = String(line.dropFirst(mark.count))
        return "the server says: " + PrintableText(escaping: words, limit: 1000).text
    }

    /// The maximum size of the response in bytes.
    private static let longestReadiness = 8 << 10
}
