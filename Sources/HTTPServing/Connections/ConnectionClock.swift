import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Limits how long a connection may stay in one phase; lives on the connection's event loop.
///
/// Each connection has one timer, which checks the deadline when it fires and is rarely rescheduled, so
/// requests cost no scheduling.
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
        /// The client does not read its response.
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
    /// Whether the body of the current request is still arriving.
    var awaitsBody = false
    private var isUnbounded = false
    /// Bytes of the body since its rate was last checked.
    private var bodyBytes = 0
    private var bodyEnd = NIODeadline.distantFuture
    /// Whether the connection is being read, and whether the server paused reading since the last check.
    private var isReading = true
    private var wasHeldUp = false
    private var pause = NIODeadline.distantPast

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

    func bytesArrived(_ count: Int, isInsideHead: Bool) {
        switch phase {
        case .opening, .idle: if isInsideHead { set(.head, limits.headTime) }
        case .busy: bodyBytes += count
        case .head, .over: break
        }
    }

    func readingBegan() {
        guard !isReading else { return }
        isReading = true
        if awaitsBody, NIODeadline.now() - pause > .milliseconds(100) { wasHeldUp = true }
    }

    func readingEnded() {
        isReading = false
        if awaitsBody { pause = .now() }
    }

    func requestBegan(hasBody: Bool, isUnbounded: Bool) {
        guard phase != .over else { return }
        awaitsBody = hasBody
        self.isUnbounded = isUnbounded
        unsentBytes = 0
        bodyBytes = 0
        wasHeldUp = false
        bodyEnd = isUnbounded ? .distantFuture : .now() + limits.bodyTime
        set(.busy, hasBody ? bodyPace : limits.stallTime)
    }

    /// The interval at which the rate of a body is checked.
    private var bodyPace: TimeAmount {
        isUnbounded ? limits.idleTime : min(limits.idleTime, limits.bodyPace)
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
            case .busy where awaitsBody: judgeBody()
            case .busy: judgeStall()
            case .over: break
            }
        }
        if phase != .over {
            if deadline <= .now() { deadline = .now() + limits.idleTime }
            arm()
        }
    }

    /// Gives up a body that arrived too slowly since the last check, or that takes too long altogether.
    ///
    /// While the server did not read from the connection the client could not send, so it gets more time.
    private func judgeBody() {
        let least = limits.bodyRate * Int(bodyPace.nanoseconds / 1_000_000) / 1000
        let isSlow = bodyBytes < least || bodyEnd <= .now()
        if isSlow, isReading, !wasHeldUp { return expired(.requestIncomplete) }
        bodyBytes = 0
        wasHeldUp = false
        deadline = .now() + bodyPace
    }

    /// Gives up a response if bytes wait and none has been acknowledged since the last check.
    ///
    /// Bytes in the kernel's send buffer count too: there may be megabytes, which take a slow phone
    /// minutes.
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
