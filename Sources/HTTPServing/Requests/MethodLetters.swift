/// The letters of a request's method as they come, without memory of their own.
struct MethodLetters {
    /// The methods of RFC 9110 and PATCH of RFC 5789, but for CONNECT: all that any route is asked by.
    private static let known = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE",
    ]
    .map { $0.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The last eight; zeros stand before a shorter method, as all are that are known.
    private var letters: UInt64 = 0

    mutating func append(_ letter: UInt8) {
        letters = letters << 8 | UInt64(letter)
    }

    var isKnown: Bool { Self.known.contains(letters) }
}
