import Hummingbird
package import HummingbirdCore
package import NIOCore

/// The body of a file's response, sent from file to socket in bounded pieces.
///
/// Runs on the connection's own thread. A piece is read only when the socket accepts it, into a buffer
/// that the thread lends, so a stalled client costs no memory besides the bytes that the kernel did not
/// take.
package struct FileDownload: Sendable {
    // Five TLS records. What a stalled client holds grows with it: encrypted, 128 KiB would need a buffer of
    // 256 KiB.
    private static let pieceBytes = 5 * 16_384
    /// Bytes after which the thread's other connections get their turn.
    private static let turnBytes = 4 << 20

    private let file: ServedFile
    private let range: Range<Int>
    private let channel: any Channel
    private let buffers: PieceBuffers
    private let transfer: Transfer

    /// - Parameters:
    ///   - file: the file.
    ///   - range: the bytes to send.
    ///   - channel: the connection.
    ///   - buffers: the read buffer of the connection's thread.
    ///   - transfer: counts the bytes passed to the connection.
    package init(
        file: ServedFile,
        range: Range<Int>,
        channel: any Channel,
        buffers: PieceBuffers,
        transfer: Transfer,
    ) {
        self.file = file
        self.range = range
        self.channel = channel
        self.buffers = buffers
        self.transfer = transfer
    }

    @concurrent
    /// Sends the range, one piece after another.
    ///
    /// - Throws: `CancellationError`, and the errors of reading the file or writing to the connection.
    package func send(to writer: inout any ResponseBodyWriter) async throws {
        var offset = range.lowerBound
        var turn = 0
        while offset < range.upperBound {
            try Task.checkCancellation()
            if !channel.isWritable { try await writer.write(contentsOf: []) }
            let count = min(Self.pieceBytes, range.upperBound - offset)
            let piece = try await file.read(count, at: offset, into: buffers.take())
            let size = piece.readableBytes
            try await writer.write(piece)
            buffers.giveBack(piece)
            offset += size
            turn += size
            transfer.add(size)
            if turn >= Self.turnBytes {
                turn = 0
                await Task.yield()
            }
        }
        try await writer.finish(nil)
    }
}
