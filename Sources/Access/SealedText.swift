import Bytes
import Cryptography

extension SessionAuthority {
    /// Signs a text for one session: the message of an action is passed through the browser to the next
    /// page, and no other site can forge it.
    package func seal(_ text: String, for session: Session) -> String {
        let bytes = Array(text.utf8)
        return Hex.encode(bytes) + "." + Hex.encode(sealCode(over: bytes, for: session))
    }

    /// - Returns: nil for a text that was not signed for this session.
    package func open(_ sealed: some StringProtocol, for session: Session) -> String? {
        guard sealed.utf8.count <= 4096 else { return nil }
        let parts = sealed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Hex.decode(parts[0]), let shown = Hex.decode(parts[1]),
            constantTimeEqual(shown, sealCode(over: bytes, for: session))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private func sealCode(over bytes: [UInt8], for session: Session) -> [UInt8] {
        authenticationCode(
            of: Array("ota seal\0\(value(of: session))\0".utf8) + bytes,
            key: key,
        )
    }
}
