import Bytes
import S3
import Synchronization

/// Reads an object by ranges, one window at a time.
final class ObjectSource: ByteSource {
    let count: Int
    private let client: S3Client
    private let key: String
    private let etag: ETag
    private let window = Mutex(Window(start: 0, bytes: []))

    private struct Window {
        let start: Int
        let bytes: [UInt8]
    }

    /// The minimum bytes of a window; a smaller request would take as long.
    private static let width = 1 << 20

    init(_ client: S3Client, key: String, facts: S3ObjectFacts) {
        self.client = client
        self.key = key
        etag = facts.etag
        count = facts.size
    }

    func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SourceFailure) -> Int {
        guard offset >= 0, offset <= count else {
            throw SourceFailure(
                offset: offset,
                reason: "outside the \(count.grouped) bytes there are",
            )
        }
        let wanted = min(buffer.count, count - offset)
        guard wanted > 0 else { return 0 }
        var there = window.withLock { $0 }
        if offset < there.start || offset >= there.start + there.bytes.count {
            there = try fetch(at: offset, atLeast: wanted)
            window.withLock { [there] in $0 = there }
        }
        let start = offset - there.start
        let piece = min(wanted, there.bytes.count - start)
        unsafe buffer.copyBytes(from: there.bytes[start..<start + piece])
        return piece
    }

    private func fetch(at offset: Int, atLeast wanted: Int) throws(SourceFailure) -> Window {
        let length = min(max(min(wanted, 8 << 20), Self.width), count - offset)
        do throws(S3Failure) {
            let range = offset..<offset + length
            switch try client.read(key, range: range, if: etag) {
            case .found(let object): return Window(start: offset, bytes: object.bytes)
            case .missing, .known, .changed: break
            }
        } catch {
            throw SourceFailure(offset: offset, reason: error.description)
        }
        throw SourceFailure(offset: offset, reason: "the object has changed")
    }
}
