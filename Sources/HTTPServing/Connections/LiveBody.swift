package import NIOCore

/// The body of a response that is written on the connection's event loop, while the connection's task only
/// waits for its end.
///
/// Waking a task for each of a thousand connections costs far more than writing the same bytes to them.
package final class LiveBody: Sendable {
    /// A part of a body, encoded once for all connections that it is sent to.
    package struct Piece: Sendable {
        /// The piece as one chunk (RFC 9112, 7.1), which leaves as one TLS record.
        fileprivate let chunk: ByteBuffer
        /// The piece without the framing, for HTTP/1.0.
        fileprivate let plain: ByteBuffer

        /// - Parameter text: what is sent; must not be empty, because an empty chunk ends a body.
        package init(_ text: String) {
            let size = text.utf8.count
            precondition(size > 0)
            let head = String(size, radix: 16) + "\r\n"
            var chunk = ByteBuffer()
            chunk.writeString(head)
            chunk.writeString(text)
            chunk.writeString("\r\n")
            self.chunk = chunk
            plain = chunk.getSlice(at: head.utf8.count, length: size) ?? ByteBuffer()
        }
    }

    /// Receives what happens to the connection, on its event loop.
    struct Listener {
        let canWrite: () -> Void
        let connectionEnded: () -> Void
    }

    /// The connection's event loop.
    package let loop: any EventLoop
    private let channel: any Channel
    private let transfer: Transfer
    private let gate: NIOLoopBoundBox<RequestGate?>

    /// - Parameters:
    ///   - channel: the connection, on which the request's route begins a response without a length.
    ///   - transfer: counts the bytes of the response.
    package init(on channel: any Channel, counting transfer: Transfer) {
        self.channel = channel
        self.transfer = transfer
        loop = channel.eventLoop
        gate = .makeEmptyBox(eventLoop: loop)
    }

    /// Takes over the body from the connection's task, which has written what it had to write; on the loop.
    ///
    /// - Parameters:
    ///   - canWrite: called when ``write(_:)`` is possible again.
    ///   - connectionEnded: called once when the client stops sending, or the connection closes.
    /// - Returns: false if the connection is closed.
    package func begin(
        canWrite: @escaping () -> Void,
        connectionEnded: @escaping @Sendable () -> Void,
    ) -> Bool {
        let found = try? channel.pipeline.syncOperations.handler(type: RequestGate.self)
        guard channel.isActive, let found, found.hasBegun else { return false }
        found.liveBody = Listener(canWrite: canWrite, connectionEnded: connectionEnded)
        gate.value = found
        InputEndWatch.watch(channel, connectionEnded)
        return true
    }

    /// Writes and flushes a piece; on the loop.
    ///
    /// - Returns: false if it was not written, because the client has not read earlier ones yet, or is gone.
    package func write(_ piece: Piece) -> Bool {
        guard let gate = gate.value, gate.writeLive(piece) else { return false }
        transfer.add(piece.plain.readableBytes)
        return true
    }

    /// Gives the body back to the connection's task, which ends it; on the loop.
    package func end() {
        guard let taken = gate.value else { return }
        taken.liveBody = nil
        gate.value = nil
        // The connection may carry further requests, and must not retain this one's listener.
        InputEndWatch.watch(channel) {}
    }
}

extension RequestGate {
    /// Writes a piece of the current response past the encoder.
    fileprivate func writeLive(_ piece: LiveBody.Piece) -> Bool {
        guard liveBody != nil, !isClosing, let context, context.channel.isWritable else {
            return false
        }
        clock.responseAdvanced()
        rawWriter.write(isHTTP10 ? piece.plain : piece.chunk)
        context.flush()
        return true
    }
}
