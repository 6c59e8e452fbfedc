import Bytes
import NIOCore
import NIOPosix

/// A part of a build's file as a request's body, read in windows as fast as the socket accepts them.
struct UploadFile: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// The size of a window, in bytes.
    private static let window = 128 << 10

    let source: FileSource
    let range: Range<Int>
    /// Called with the number of bytes that were read.
    let progress: @Sendable (Int) -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: UploadFile
        var offset: Int

        mutating func next() async throws -> ByteBuffer? {
            guard offset < file.range.upperBound else { return nil }
            let start = offset
            let count = Swift.min(UploadFile.window, file.range.upperBound - start)
            let source = file.source
            let bytes = try await NIOThreadPool.singleton.runIfActive {
                try source.bytes(at: start, count: count)
            }
            offset += count
            file.progress(offset)
            return ByteBuffer(bytes: bytes)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(file: self, offset: range.lowerBound)
    }
}
