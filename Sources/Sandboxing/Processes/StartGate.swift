import Essentials

/// Holds a program back until its limits are around it: it waits for a line on standard input.
final class StartGate: Sendable {
    /// Given to the program, which reads it; the caller that starts it keeps both ends too.
    let reader: Int32
    private let writer: Int32

    /// The words with which a shell waits; a gate that is never opened ends it.
    static let shellProgram = "IFS= read -r gate || exit 125; exec </dev/null; unset gate"

    init() throws(ProcessFailure) {
        (reader, writer) = try OutputPipe.pair()
    }

    deinit {
        close(reader)
        close(writer)
    }

    func open() {
        var line = UInt8(ascii: "\n")
        // There is a reader for as long as this is there, so no signal comes of it.
        _ = unsafe write(writer, &line, 1)
    }
}
