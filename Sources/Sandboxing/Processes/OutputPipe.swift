import Foundation

/// A pipe for a program's output, read on a thread of its own.
///
/// Reading ends when the pipe is closed, or when ``finish()`` says that the program has ended: a child that
/// the program left behind may keep the pipe open for ever.
final class OutputPipe: Sendable {
    private let reader: Int32
    /// Passed to the program; the caller that starts it closes this end.
    let writer: Int32
    private let wakeReader: Int32
    private let wakeWriter: Int32

    init() throws(ProcessFailure) {
        let data = try Self.pair()
        do throws(ProcessFailure) {
            (wakeReader, wakeWriter) = try Self.pair()
        } catch {
            close(data.reader)
            close(data.writer)
            throw error
        }
        (reader, writer) = data
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(reader)
        close(wakeReader)
        close(wakeWriter)
    }

    /// Passes every piece to `sink` as it arrives, until the end.
    func read(into sink: @escaping @Sendable (ArraySlice<UInt8>) -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                readAll(into: sink)
                continuation.resume()
            }
        }
    }

    /// Ends reading after what has been written so far.
    func finish() {
        var byte: UInt8 = 0
        _ = unsafe write(wakeWriter, &byte, 1)
    }

    private func readAll(into sink: (ArraySlice<UInt8>) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var isFinishing = false
        while true {
            let count = unsafe Foundation.read(reader, &buffer, buffer.count)
            if count > 0 {
                sink(buffer[..<count])
                continue
            }
            if count == 0 { return }
            if errno == EINTR { continue }
            guard errno == EAGAIN, !isFinishing else { return }
            var polled = [
                pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&polled, 2, -1)
            // Reads once more, because the pipe may still contain what was written before the end.
            isFinishing = polled[1].revents != 0
        }
    }

    /// Creates a pipe whose ends are not inherited by programs that other code starts.
    static func pair() throws(ProcessFailure) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw .noPipe(reason: unsafe String(cString: strerror(errno)))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
