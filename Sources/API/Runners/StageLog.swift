import Bytes
import HTTPServing
import Runners

/// The log of a stage as it arrives: up to its limit, then one line that says so, and nothing more.
///
/// Bytes beyond the limit are acknowledged, so that the agent continues, but discarded; for their number, the
/// server relies on the agent.
struct StageLog: Sendable {
    let file: StageFileGrowth
    /// In bytes.
    let limit: Int

    /// Checks that bytes may start at an offset, given the size of the file.
    func check(_ offset: Int, at count: Int) throws(RunnerRefusal) {
        guard isFull(at: count) ? offset >= limit : offset == count else {
            throw .wrongOffset(.log, expected: known(at: count))
        }
    }

    /// The number of bytes from the agent, given the size of the file; the line after the limit is not from
    /// the agent.
    func known(at count: Int) -> Int { min(count, limit) }

    func isFull(at count: Int) -> Bool { count >= limit }

    func append(_ window: FullWindow, in turn: StageFileGrowth.Turn) throws {
        let count = try file.size()
        let room = max(0, limit - count)
        let bytes = unsafe window.bytes
        if room > 0 {
            try unsafe file.append(
                UnsafeRawBufferPointer(rebasing: bytes.prefix(room)),
                in: turn,
                of: .log,
            )
        }
        // A file that exceeds the limit already has the line.
        guard bytes.count > room, count <= limit else { return }
        let line = Array(
            "\n… the log is longer than \(limit.grouped) bytes, so the rest is left out\n".utf8
        )
        try unsafe line.withUnsafeBytes { try unsafe file.append($0, in: turn, of: .log) }
    }
}
