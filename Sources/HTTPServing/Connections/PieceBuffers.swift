package import NIOCore

/// One read buffer for all downloads of a thread.
///
/// It is lent only while a piece is read, encrypted and passed to the socket, without a suspension in
/// between; a caller that finds it in use gets a new one.
package final class PieceBuffers: Sendable {
    private let kept: NIOLoopBoundBox<ByteBuffer?>

    init(_ loop: any EventLoop) {
        kept = .makeEmptyBox(eventLoop: loop)
    }

    /// Returns the shared buffer, emptied, or a new one.
    package func take() -> ByteBuffer {
        guard kept.eventLoop.inEventLoop, var buffer = kept.value else { return ByteBuffer() }
        kept.value = nil
        buffer.clear()
        return buffer
    }

    /// Returns a buffer whose bytes have been sent, for reuse.
    package func giveBack(_ buffer: ByteBuffer) {
        if kept.eventLoop.inEventLoop { kept.value = buffer }
    }
}
