/// Unpredictable bytes.
enum Secret {
    /// Returns bytes from the caller's generator; a server passes the system's.
    static func bytes(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
