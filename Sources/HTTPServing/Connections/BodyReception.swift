import NIOCore
import NIOPosix
import Synchronization

/// How a body ended.
package struct TakenBody: Sendable {
    package enum End: Sendable {
        case whole
        /// The connection closed before the end of the body.
        case cut
        /// The body was longer than the limit.
        case tooLong
    }

    /// Bytes that were taken.
    package let count: Int
    package let end: End
}

/// The destination of a body, and the threads that write it there.
struct BodySink: Sendable {
    let loop: any EventLoop
    let threads: NIOThreadPool
    let take: @Sendable (FullWindow) throws -> Void
}

/// The state of one request's body while it is received: the bytes that wait in windows, and the writes.
struct BodyReception {
    /// Bytes after which a window is written; the rest of its room is for what a single read may add.
    private static let window = BodyWindow.room - BodyIntake.stretch - (64 << 10)

    private(set) var sink: BodySink?
    /// Whether nothing more will be taken.
    private var isOver = false
    private var promise: EventLoopPromise<TakenBody>?
    private var end: TakenBody.End?
    private var filling = BodyWindow()
    private var spare: BodyWindow?
    /// Bytes in the window that fills.
    private var waiting = 0
    private var isWriting = false
    private var taken = 0
    /// Bytes that may still arrive.
    private var room = Int.max

    /// Whether the body is finished and no write is under way.
    var isDone: Bool { isOver && !isWriting }

    /// Whether no further bytes are wanted for now.
    var isFull: Bool {
        if isOver { return false }
        if sink == nil { return waiting > 0 || end != nil }
        return end != nil || isWriting && waiting >= Self.window
    }

    mutating func open(
        _ sink: BodySink,
        at offset: Int,
        atMost limit: Int,
        _ promise: EventLoopPromise<TakenBody>,
    ) {
        self.sink = sink
        self.promise = promise
        room = limit - waiting
        guard room < 0 else { return filling.align(to: offset) }
        end = .tooLong
        waiting = 0
    }

    mutating func add(_ bytes: ByteBuffer) {
        guard !isOver, end == nil else { return }
        guard bytes.readableBytes <= room else { return end = .tooLong }
        filling.fill(with: bytes)
        waiting += bytes.readableBytes
        room -= bytes.readableBytes
    }

    mutating func end(as end: TakenBody.End) {
        if self.end == nil { self.end = end }
    }

    /// Ends without taking the bytes that wait.
    mutating func drop() {
        guard !isOver else { return }
        isOver = true
        fulfil(.success(TakenBody(count: taken, end: .cut)))
    }

    /// Returns the window to write now; when none is left and the body has ended, completes the promise.
    mutating func nextWindow() -> BodyWindow? {
        guard sink != nil, !isWriting, !isOver else { return nil }
        if waiting >= Self.window || end != nil && waiting > 0 {
            isWriting = true
            let window = filling
            filling = spare ?? BodyWindow()
            spare = nil
            // The last bytes stay in memory, so that windows end on the disk's block boundaries.
            waiting = end == nil ? filling.begin(withEndOf: window) : 0
            return window
        }
        if let end {
            isOver = true
            fulfil(.success(TakenBody(count: taken, end: end)))
        }
        return nil
    }

    mutating func written(_ window: BodyWindow, _ result: Result<Int, any Error>) {
        isWriting = false
        spare = window
        switch result {
        case .success(let count):
            taken += count
        case .failure(let error):
            isOver = true
            fulfil(.failure(error))
        }
    }

    private mutating func fulfil(_ result: Result<TakenBody, any Error>) {
        promise?.completeWith(result)
        promise = nil
    }
}
