/// The letters of a request's method as they arrive, kept without an allocation.
struct MethodLetters {
    /// The methods of RFC 9110 except CONNECT, and PATCH of RFC 5789: all that routes handle.
    private static let known = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE",
    ]
    .map { $0.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The last eight letters, which is all of every known method; a shorter one has leading zeros.
    private var letters: UInt64 = 0

    mutating func append(_ letter: UInt8) {
        letters = letters << 8 | UInt64(letter)
    }

    var isKnown: Bool { Self.known.contains(letters) }
}
