import Cryptography
import Testing

struct MessageAuthenticatorTests {
    @Test func `a code over pieces is the one over the whole`() {
        for size in [0, 1, 63, 64, 65, 200, 5000] {
            let message = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7) }
            for keySize in [0, 1, 32, 63, 64, 65, 200] {
                let key = (0..<keySize).map { UInt8(truncatingIfNeeded: $0 * 13 + 1) }
                let authenticator = MessageAuthenticator(key: key)
                for start in stride(from: 0, to: size, by: 37) {
                    authenticator.update(message[start..<min(start + 37, size)])
                }
                #expect(authenticator.finish() == authenticationCode(of: message, key: key))
            }
        }
    }
}
