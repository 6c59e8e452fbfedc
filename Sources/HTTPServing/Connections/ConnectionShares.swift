import Cryptography
import NIOCore
import Synchronization

/// Counts a port's connections per network, so that no network takes all of them.
package final class ConnectionShares: Sendable {
    private let limit: Int
    /// Addresses that carry the connections of many clients, such as trusted proxies.
    private let exempt: Set<String>
    private let open = Mutex<[[UInt8]: Int]>([:])

    /// - Parameters:
    ///   - limit: the most connections of one network.
    ///   - exempt: addresses that are not limited, such as those of trusted proxies.
    package init(limit: Int, exempt: Set<String>) {
        self.limit = limit
        self.exempt = exempt
    }

    /// Returns the network that a connection from `address` counts towards; nil if it is exempt.
    func network(of address: String) -> [UInt8]? {
        guard !exempt.contains(address) else { return nil }
        return AlternativeName(address).network ?? Array(address.utf8)
    }

    /// - Returns: false if the network already has as many connections as it may.
    func enter(_ network: [UInt8]) -> Bool {
        open.withLock { open in
            let count = open[network] ?? 0
            guard count < limit else { return false }
            open[network] = count + 1
            return true
        }
    }

    func leave(_ network: [UInt8]) {
        open.withLock { open in
            let count = open[network] ?? 0
            open[network] = count > 1 ? count - 1 : nil
        }
    }
}

/// The handler next to the socket that counts a connection towards its network.
///
/// A connection beyond the limit is closed as soon as it is accepted, without a handshake.
final class ConnectionPlace: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let shares: ConnectionShares
    private var network: [UInt8]?
    private(set) var isAdmitted = true

    init(in shares: ConnectionShares) {
        self.shares = shares
    }

    func handlerAdded(context: ChannelHandlerContext) {
        network = context.channel.remoteAddress?.ipAddress.flatMap(shares.network)
        guard let network else { return }
        isAdmitted = shares.enter(network)
        if context.channel.isActive { refuse(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if isAdmitted, let network { shares.leave(network) }
        network = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        refuse(context)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        if !isAdmitted { context.close(promise: nil) }
    }
}
