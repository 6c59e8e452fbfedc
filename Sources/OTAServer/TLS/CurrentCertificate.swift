import NIOSSL
import Synchronization

/// The certificate that new connections get; those under way keep the one they began with.
final class CurrentCertificate: Sendable {
    private let current: Mutex<NIOSSLContext>

    init(_ context: NIOSSLContext) {
        current = Mutex(context)
    }

    var context: NIOSSLContext { current.withLock { $0 } }

    func replace(with context: NIOSSLContext) {
        current.withLock { $0 = context }
    }
}
