import Bytes

/// The identifier of an upload: 32 unguessable hexadecimal digits.
package struct UploadIdentifier: Hashable, Sendable, TextCoded {
    package static let kindOfText = "an upload identifier"

    private let text: String

    /// Generates an identifier; `random` returns the given number of cryptographically secure random bytes.
    package init(random: (Int) -> [UInt8]) {
        text = Hex.encode(random(16))
    }

    package init?(_ text: String) {
        guard text.utf8.count == 32,
            text.utf8.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            })
        else { return nil }
        self.text = text
    }

    package var description: String { text }
}
