import Essentials

/// Base64url without padding (RFC 4648 section 5); each value has exactly one accepted text.
package enum Base64URL {
    package static func text(_ bytes: [UInt8]) -> String {
        translated(Data(bytes).base64EncodedString().prefix { $0 != "=" }, ["+": "-", "/": "_"])
    }

    /// - Returns: nil for any text that ``text(_:)`` does not produce.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.contains(where: { $0 == "+" || $0 == "/" || $0 == "=" }) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let standard = translated(text, ["-": "+", "_": "/"]) + padding
        guard let data = Data(base64Encoded: standard), self.text([UInt8](data)) == text else {
            return nil
        }
        return [UInt8](data)
    }

    private static func translated(
        _ text: some StringProtocol,
        _ map: [Character: Character],
    ) -> String {
        String(text.map { map[$0] ?? $0 })
    }
}
