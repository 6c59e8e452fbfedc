package import Bytes

/// An archive that is not a file: its records are in memory, and contents are read from their sources.
///
/// Code that signs or inspects an archive can use it to process a folder without copying it. Files are
/// stored without compression; ``ZipArchive`` reads it like any other archive.
package struct AssembledArchive: ByteSource {
    /// An entry, without its offset.
    package enum Part: Sendable {
        case folder(String, mode: UInt16)
        case link(String, target: String)
        case file(String, mode: UInt16, crc32: UInt32, contents: any ByteSource)
    }

    private enum Piece: Sendable {
        case bytes([UInt8])
        case contents(any ByteSource)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .contents(let source): source.count
            }
        }
    }

    private let pieces: [Piece]
    /// The offset of each piece.
    private let starts: [Int]
    package let count: Int

    /// Lays out the entries one after the other, in the given order.
    package init(_ parts: [Part]) {
        var pieces: [Piece] = []
        var starts: [Int] = []
        var offset = 0
        var entries: [WrittenEntry] = []
        func place(_ piece: Piece) {
            guard piece.count > 0 else { return }
            pieces.append(piece)
            starts.append(offset)
            offset += piece.count
        }
        for part in parts {
            var entry = WrittenEntry(part, at: offset)
            var contents: Piece?
            switch part {
            case .folder: break
            case .link(_, let target):
                let bytes = Array(target.utf8)
                entry.crc32 = Zip.crc32(0, over: bytes)
                contents = .bytes(bytes)
            case .file(_, _, let checksum, let source):
                entry.crc32 = checksum
                contents = .contents(source)
            }
            place(.bytes(entry.localHeader()))
            if let contents { place(contents) }
            entries.append(entry)
        }
        let directory = offset
        for entry in entries { place(.bytes(entry.centralHeader())) }
        let end = WrittenEnd(
            entryCount: entries.count,
            directoryOffset: directory,
            directorySize: offset - directory,
            isZip64: false,
            comment: [],
        )
        place(.bytes(end.bytes()))
        self.pieces = pieces
        self.starts = starts
        count = offset
    }

    package func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SourceFailure) -> Int {
        guard offset >= 0, offset <= count else {
            throw SourceFailure(
                offset: offset,
                reason: "outside the \(count.grouped) bytes there are",
            )
        }
        var filled = 0
        var index = piece(at: offset)
        while filled < buffer.count, index < pieces.count {
            let inside = offset + filled - starts[index]
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let room = min(rest.count, pieces[index].count - inside)
            switch pieces[index] {
            case .bytes(let bytes):
                unsafe rest.copyBytes(from: bytes[inside..<inside + room])
                filled += room
                index += 1
            case .contents(let source):
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: rest[..<room])
                let got = try unsafe source.read(at: inside, into: part)
                guard got > 0 else { throw SourceFailure(offset: offset, reason: "ended early") }
                filled += got
                if got == room { index += 1 }
            }
        }
        return filled
    }

    /// The index of the piece that contains the byte at an offset; the number of pieces at the end.
    private func piece(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return offset == count ? starts.count : low - 1
    }
}

extension WrittenEntry {
    fileprivate init(_ part: AssembledArchive.Part, at offset: Int) {
        let (path, mode, size): (String, UInt16, Int) =
            switch part {
            case .folder(let path, let mode): (path + "/", 0o040000 | mode, 0)
            case .link(let path, let target): (path, 0o120000 | 0o755, target.utf8.count)
            case .file(let path, let mode, _, let source): (path, 0o100000 | mode, source.count)
            }
        self.init(
            path: path,
            mode: mode,
            method: .stored,
            headerOffset: offset,
            hasDescriptor: false,
            isZip64: size >= UInt32.max,
        )
        self.size = size
        compressedSize = size
    }
}
