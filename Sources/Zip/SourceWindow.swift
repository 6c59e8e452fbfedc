import Bytes

/// A few kilobytes of a source, so that several small headers need only one read.
struct SourceWindow {
    private static let size = 16 << 10

    private let source: any ByteSource
    private var start = 0
    private var bytes: [UInt8] = []

    init(_ source: any ByteSource) {
        self.source = source
    }

    mutating func bytes(at offset: Int, count: Int) throws(SourceFailure) -> ArraySlice<UInt8> {
        let first = offset - start
        if first >= 0, first <= bytes.count, count <= bytes.count - first {
            return bytes[first..<first + count]
        }
        guard count < Self.size, source.count - offset >= count else {
            return try source.bytes(at: offset, count: count)[...]
        }
        bytes = try source.bytes(at: offset, count: min(Self.size, source.count - offset))
        start = offset
        return bytes[..<count]
    }
}
