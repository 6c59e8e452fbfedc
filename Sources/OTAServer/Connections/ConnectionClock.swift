import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How long a connection may go on as it is; lives on the connection's event loop.
///
/// One timer for each connection, which is looked at when it fires and rarely moved, so that a
/// request costs no scheduling.
final class ConnectionClock {
    private enum Phase {
        /// TLS handshake, or the first byte on a plain port.
        case opening
        case idle
        case head
        /// A request is being answered, or its body is arriving.
        case busy
        case over
    }

    enum Expiry {
        /// Nothing is owed to the client.
        case quiet
        /// A request began and did not end.
        case requestIncomplete
        /// The client takes nothing of its response.
        case stalled
    }

    private let limits: ServerLimits
    private let channel: any Channel
    private let expired: (Expiry) -> Void
    private var phase = Phase.opening
    private var deadline = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var armed = NIODeadline.distantFuture
    private var unsentBytes = 0
    private var writes = 0
    private var writesSeen = 0
    /// Whether the body of the request at hand is still arriving.
    var awaitsBody = false

    init(limits: ServerLimits, channel: any Channel, expired: @escaping (Expiry) -> Void) {
        self.limits = limits
        self.channel = channel
        self.expired = expired
    }

    func start() {
        set(.opening, limits.headTime)
    }

    func stop() {
        phase = .over
        timer?.cancel()
        timer = nil
    }

    func handshakeCompleted() {
        if phase == .opening { set(.idle, limits.idleTime) }
    }

    func bytesArrived(isInsideHead: Bool) {
        switch phase {
        case .opening, .idle: if isInsideHead { set(.head, limits.headTime) }
        case .busy: if awaitsBody { deadline = .now() + limits.idleTime }
        case .head, .over: break
        }
    }

    func requestBegan(hasBody: Bool) {
        guard phase != .over else { return }
        awaitsBody = hasBody
        unsentBytes = 0
        set(.busy, hasBody ? limits.idleTime : limits.stallTime)
    }

    func responseAdvanced() {
        writes += 1
    }

    func becameIdle() {
        guard phase != .over else { return }
        awaitsBody = false
        set(.idle, limits.idleTime)
    }

    private func set(_ phase: Phase, _ time: TimeAmount) {
        self.phase = phase
        deadline = .now() + time
        if deadline < armed { arm() }
    }

    private func arm() {
        timer?.cancel()
        armed = deadline
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        timer = channel.eventLoop.scheduleTask(deadline: deadline) { bound.value.fire() }
    }

    private func fire() {
        armed = .distantFuture
        guard phase != .over else { return }
        if deadline <= .now() {
            switch phase {
            case .opening, .idle: expired(.quiet)
            case .head: expired(.requestIncomplete)
            case .busy where awaitsBody: expired(.requestIncomplete)
            case .busy: judgeStall()
            case .over: break
            }
        }
        if phase != .over {
            if deadline <= .now() { deadline = .now() + limits.idleTime }
            arm()
        }
    }

    /// A response is stalled when bytes wait and none has been acknowledged since the last look.
    ///
    /// What the kernel holds counts too: it may hold megabytes, which a slow phone takes minutes
    /// for.
    private func judgeStall() {
        let waiting =
            ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0) + inKernel
        if waiting > 0, waiting == unsentBytes, writes == writesSeen { return expired(.stalled) }
        unsentBytes = waiting
        writesSeen = writes
        deadline = .now() + limits.stallTime
    }

    /// Bytes that the kernel has taken and the client has not acknowledged.
    private var inKernel: Int {
        #if os(Linux)
        let count = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { socket in
            var count: Int32 = 0
            let done = unsafe ioctl(socket, UInt(TIOCOUTQ), &count)
            return done == 0 ? Int(count) : 0
        }
        return count ?? 0
        #else
        return 0
        #endif
    }
}
