package import NIOCore

/// One read buffer for all downloads of a thread.
///
/// It is out only while a piece is read, encrypted and handed to the socket, which happens in one
/// go; a caller that finds it in use gets a fresh one.
package final class PieceBuffers: Sendable {
    private let kept: NIOLoopBoundBox<ByteBuffer?>

    init(_ loop: any EventLoop) {
        kept = .makeEmptyBox(eventLoop: loop)
    }

    /// The kept buffer, empty, or a fresh one.
    package func take() -> ByteBuffer {
        guard kept.eventLoop.inEventLoop, var buffer = kept.value else { return ByteBuffer() }
        kept.value = nil
        buffer.clear()
        return buffer
    }

    /// Takes back a buffer whose bytes have been sent.
    package func giveBack(_ buffer: ByteBuffer) {
        if kept.eventLoop.inEventLoop { kept.value = buffer }
    }
}
