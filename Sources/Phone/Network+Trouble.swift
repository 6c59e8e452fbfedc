import Bytes

extension Network {
    /// What a server of `ota` says itself of its certificate, such as why an authority gives it none.
    ///
    /// - Parameter address: on the server, which need not be trusted: its words are shown and no more.
    /// - Returns: one line, bounded; nil where the server says nothing.
    func certificateTrouble(at address: WebAddress) async -> String? {
        let place = "https://\(address.authority)/readyz"
        guard let readiness = WebAddress(place),
            let answer = try? await fetch(
                Request(address: readiness, fields: [], verifies: false),
                limit: Self.longestReadiness,
            ), answer.status == 200
        else { return nil }
        // As `CertificateHealth` begins it.
        let mark = "certificate: "
        let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix(mark) }) else { return nil }
        let words = String(line.dropFirst(mark.count))
        return "the server says: " + PrintableText(escaping: words, limit: 1000).text
    }

    /// Bytes of an answer that are read.
    private static let longestReadiness = 8 << 10
}
