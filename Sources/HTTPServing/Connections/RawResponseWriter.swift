import NIOCore

/// The handler below the HTTP encoder that writes responses which are already encoded.
final class RawResponseWriter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    /// Writes a response as one buffer, so that it leaves as one TLS record if it fits.
    ///
    /// - Returns: the number of bytes of its body.
    func write(
        _ answer: CachedResponse,
        _ form: CachedResponse.Form,
        _ connection: CachedResponse.Connection,
    ) -> Int {
        guard let context else { return 0 }
        var buffer = context.channel.allocator.buffer(capacity: answer.capacity(form))
        let bytes = answer.write(form, connection, to: &buffer)
        context.write(wrapOutboundOut(buffer), promise: nil)
        return bytes
    }

    /// Writes a part of a response that is already encoded.
    func write(_ bytes: ByteBuffer) {
        context?.write(wrapOutboundOut(bytes), promise: nil)
    }
}
