package import Bytes

/// A bundle in the format of `git fetch`: a new header, and the pack of a file that has another header.
///
/// `git bundle` names no reference whose commit the other side has. This header names them all, so that the
/// other side gets the same tags as this repository, and loses those that were deleted here.
package struct CommitBundle: Sendable {
    /// The lines before the pack.
    package let header: [UInt8]
    /// The file with the pack, and the offset of the pack in it.
    package let file: FileSource
    package let packStart: Int

    /// The size of the whole bundle in bytes.
    package var count: Int { header.count + file.count - packStart }

    typealias Reference = (name: String, object: String)

    /// The largest header, which lists prerequisites and tags, in bytes.
    private static let headerLimit = 32 << 20

    /// - Parameters:
    ///   - references: the references of the bundle.
    ///   - path: a bundle that `git` made, with some of them.
    /// - Throws: ``GitFailure`` if the file is not a bundle.
    init(_ references: [Reference], insteadOfThoseIn path: String) throws {
        do throws(SourceFailure) {
            file = try FileSource(path: path)
        } catch {
            throw GitFailure.failed("bundle", status: 0, said: error.reason)
        }
        var front: [UInt8] = []
        var end: Int?
        while end == nil, front.count < min(Self.headerLimit, file.count) {
            let count = min(1 << 16, file.count - front.count)
            front += try file.bytes(at: front.count, count: count)
            end = front.firstRange(of: [UInt8(ascii: "\n"), UInt8(ascii: "\n")])?.upperBound
        }
        guard let end, front.starts(with: Array("# v".utf8)) else {
            throw GitFailure.failed("bundle", status: 0, said: "it is not a bundle")
        }
        packStart = end
        // Keeps the signature, the capabilities and the prerequisites.
        let kept = front[..<(end - 1)].split(separator: UInt8(ascii: "\n")).filter {
            [UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "-")].contains($0.first)
        }
        var header = kept.flatMap { Array($0) + [UInt8(ascii: "\n")] }
        for reference in references { header += "\(reference.object) \(reference.name)\n".utf8 }
        self.header = header + [UInt8(ascii: "\n")]
    }

    /// Returns a range of the bundle's bytes.
    ///
    /// - Throws: `SourceFailure` if the file cannot be read.
    package func bytes(in range: Range<Int>) throws(SourceFailure) -> [UInt8] {
        let front = header[
            min(range.lowerBound, header.count)..<min(range.upperBound, header.count)
        ]
        let rest = max(range.lowerBound, header.count)..<max(range.upperBound, header.count)
        guard !rest.isEmpty else { return Array(front) }
        let start = packStart + rest.lowerBound - header.count
        return Array(front) + (try file.bytes(at: start, count: rest.count))
    }
}
