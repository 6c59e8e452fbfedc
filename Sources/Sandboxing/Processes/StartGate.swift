import Dispatch
import Essentials

/// Holds a program back until its limits are set: a shell waits for a line on standard input, after which
/// the program's input may follow.
final class StartGate: Sendable {
    /// Passed to the program, which reads it; the caller that starts it keeps both ends open too.
    let reader: Int32
    private let writer: Int32
    private let wakeReader: Int32
    private let wakeWriter: Int32
    /// What follows the line; nil if the program has no input.
    private let input: [UInt8]?

    /// The shell commands that wait; if the gate is never opened, the shell exits.
    ///
    /// A shell reads a line from a pipe byte by byte, so what follows the line is left for the program.
    static func shellProgram(keepingInput keepsInput: Bool) -> String {
        let wait = "IFS= read -r gate || exit 125; unset gate"
        return keepsInput ? wait : wait + "; exec </dev/null"
    }

    init(input: [UInt8]? = nil) throws(ProcessFailure) {
        let data = try OutputPipe.pair()
        do throws(ProcessFailure) {
            (wakeReader, wakeWriter) = try OutputPipe.pair()
        } catch {
            close(data.reader)
            close(data.writer)
            throw error
        }
        (reader, writer) = data
        self.input = input
    }

    deinit {
        for end in [reader, writer, wakeReader, wakeWriter] { close(end) }
    }

    func open() {
        var line = UInt8(ascii: "\n")
        // This object keeps the reader open, so writing cannot cause SIGPIPE.
        _ = unsafe write(writer, &line, 1)
        guard let input, !input.isEmpty else { return }
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        DispatchQueue.global(qos: .utility).async { [self] in deliver(input) }
    }

    /// Discards the input that the program has not read: it has ended, and the pipe would stay full for
    /// ever.
    func finish() {
        var byte: UInt8 = 0
        _ = unsafe write(wakeWriter, &byte, 1)
    }

    private func deliver(_ input: [UInt8]) {
        var done = 0
        while done < input.count {
            let count = unsafe input.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
                return unsafe write(writer, rest.baseAddress, rest.count)
            }
            if count > 0 {
                done += count
                continue
            }
            if errno == EINTR { continue }
            guard errno == EAGAIN else { return }
            var polled = [
                pollfd(fd: writer, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&polled, 2, -1)
            guard polled[1].revents == 0 else { return }
        }
    }
}
