import Bytes
import Synchronization

/// How the log writes texts of clients that come again and again, such as a browser's name: what is
/// left out of them is found, and what is escaped is escaped, once.
///
/// Memory is bounded, whatever clients send.
final class WrittenWords: Sendable {
    /// Bytes that all of them take.
    private static let limit = 1 << 20
    /// What one takes beside its bytes.
    private static let overhead = 128
    /// Bytes of a text that is remembered.
    private static let longest = 512

    private let redact: @Sendable (String) -> String
    private let known = Mutex(RecentValues<String, [UInt8]>(limit: limit))

    /// - Parameter redact: what is written of a text.
    init(_ redact: @escaping @Sendable (String) -> String) {
        self.redact = redact
    }

    /// A text as it stands in a line.
    func bytes(of text: String) -> [UInt8] {
        if let bytes = known.withLock({ $0.value(text) }) { return bytes }
        var bytes: [UInt8] = []
        LogText.append(redact(text), to: &bytes)
        // Other texts may be equal although their bytes differ.
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
