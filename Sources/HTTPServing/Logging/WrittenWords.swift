import Bytes
import Synchronization

/// Caches the log's form of client text that recurs, such as a browser's name, so that each text is
/// redacted and escaped only once.
///
/// Memory use is bounded, whatever clients send.
final class WrittenWords: Sendable {
    /// The most bytes of all entries.
    private static let limit = 1 << 20
    /// Bytes of an entry besides its text.
    private static let overhead = 128
    /// The longest text that is cached, in UTF-8 bytes.
    private static let longest = 512

    private let redact: @Sendable (String) -> String
    private let known = Mutex(RecentValues<String, [UInt8]>(limit: limit))

    /// - Parameter redact: returns the loggable form of a text.
    init(_ redact: @escaping @Sendable (String) -> String) {
        self.redact = redact
    }

    /// Returns a text as it appears in a line.
    func bytes(of text: String) -> [UInt8] {
        if let bytes = known.withLock({ $0.value(text) }) { return bytes }
        var bytes: [UInt8] = []
        LogText.append(redact(text), to: &bytes)
        // Strings that are not ASCII may compare equal although their bytes differ.
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return bytes
        }
        known.withLock { known in
            let cost = text.utf8.count + bytes.count + Self.overhead
            known.keep(bytes, for: text, cost: cost)
        }
        return bytes
    }
}
