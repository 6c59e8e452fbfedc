import Bytes
import HTTPServing
import Runners

/// The log of a stage as it arrives: up to its limit, then one line that says so, and nothing more.
///
/// Bytes beyond the limit are acknowledged, so that the agent continues, but the server drops them;
/// it takes their number from the agent.
struct StageLog: Sendable {
    let file: StageFileGrowth
    /// Bytes.
    let limit: Int

    /// Whether bytes may begin at an offset, when the file has `count`.
    func check(_ offset: Int, at count: Int) throws(RunnerRefusal) {
        guard isFull(at: count) ? offset >= limit : offset == count else {
            throw .wrongOffset(.log, expected: known(at: count))
        }
    }

    /// Bytes of the agent that there are, when the file has `count`: the line behind the limit is none.
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
        // A file that is longer than the limit has the line already.
        guard bytes.count > room, count <= limit else { return }
        let line = Array(
            "\n… the log is longer than \(limit.grouped) bytes, so the rest is left out\n".utf8
        )
        try unsafe line.withUnsafeBytes { try unsafe file.append($0, in: turn, of: .log) }
    }
}
