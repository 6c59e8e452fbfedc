import Synchronization

/// How the log writes texts of clients that come again and again, such as a browser's name: what is
/// left out of them is found, and what is escaped is escaped, once.
///
/// Memory is bounded, whatever clients send.
final class WrittenWords: Sendable {
    private static let most = 1024
    /// Bytes of a text that is remembered.
    private static let longest = 512

    private let redact: @Sendable (String) -> String
    private let known = Mutex<[String: [UInt8]]>([:])

    /// - Parameter redact: what is written of a text.
    init(_ redact: @escaping @Sendable (String) -> String) {
        self.redact = redact
    }

    /// A text as it stands in a line.
    func bytes(of text: String) -> [UInt8] {
        if let bytes = known.withLock({ $0[text] }) { return bytes }
        var bytes: [UInt8] = []
        LogText.append(redact(text), to: &bytes)
        // Other texts may be equal although their bytes differ.
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return bytes
        }
        known.withLock { known in
            if known.count >= Self.most { known = [:] }
            known[text] = bytes
        }
        return bytes
    }
}
