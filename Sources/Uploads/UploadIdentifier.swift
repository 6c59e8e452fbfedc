import Bytes

/// What an upload is called: 32 hexadecimal digits that nobody can guess.
package struct UploadIdentifier: Hashable, Sendable, TextCoded {
    package static let kindOfText = "an upload identifier"

    private let text: String

    /// Makes one; `random` gives that many bytes that nobody can foretell.
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
