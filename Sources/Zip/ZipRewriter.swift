package import Bytes

/// Rewrites an archive with some entries changed and the others copied.
///
/// A copied entry keeps its compressed bytes, header, dates, modes and extra fields; a replaced one keeps
/// everything but its sizes, checksum and method. Entries are written in the order of the calls. Copied
/// contents are not checked.
///
///     var writer = try ZipRewriter(archive) { try file.write($0) }
///     for entry in archive.entries { try writer.copy(entry) }
///     try writer.finish()
@safe package struct ZipRewriter {
    private static let window = 1 << 20
    /// Maximum compressed size in bytes for which the data is held back so that the header can state the
    /// sizes.
    private static let greatestHeld = 8 << 20
    private static let descriptor: UInt16 = 1 << 3

    private let archive: ZipArchive
    /// By the offset of the entry's header.
    private let records: [Int: DirectoryRecord]
    private let extents: [Int: Range<Int>]
    private let comment: [UInt8]
    private let isZip64: Bool
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private let copier: ((Range<Int>, any ByteSource) throws -> Void)?
    private var directory: [[UInt8]] = []
    private var offset = 0

    /// Reads the directory of the archive again.
    ///
    /// - Parameters:
    ///   - archive: the archive to rewrite.
    ///   - copier: receives ranges of the archive's source, in order, instead of `sink`; nil to read
    ///     these bytes and pass them to `sink`.
    ///   - sink: receives the bytes of the new archive in order; they are valid only during the call.
    /// - Throws: ``ZipRefusal`` when the archive has changed or cannot be read.
    package init(
        _ archive: ZipArchive,
        copier: ((Range<Int>, any ByteSource) throws -> Void)? = nil,
        sink: @escaping (UnsafeRawBufferPointer) throws -> Void,
    ) throws(ZipRefusal) {
        self.archive = archive
        self.copier = copier
        unsafe self.sink = unsafe sink
        let layout = try RewrittenLayout(of: archive)
        records = layout.records
        extents = layout.extents
        comment = layout.comment
        isZip64 = layout.isZip64
    }

    /// Copies an entry of the archive, from its header to the end of its descriptor.
    ///
    /// - Throws: ``ZipRefusal`` when the archive cannot be read, or errors of the sink.
    package mutating func copy(_ entry: ZipEntry) throws {
        guard let extent = extents[entry.headerOffset] else { return }
        note(
            entry,
            RewrittenEntry(
                headerOffset: offset,
                flags: entry.flags.rawValue,
                method: entry.method,
                crc32: entry.crc32,
                compressedSize: entry.compressedSize,
                size: entry.size,
            ),
        )
        try copyBytes(extent)
    }

    /// Replaces the contents of an entry.
    ///
    /// - Parameters:
    ///   - entry: an entry of the archive.
    ///   - size: the size of the new contents in bytes.
    ///   - method: the compression method; nil for the entry's own.
    ///   - contents: passes the new contents in order to its argument; called twice for a stored entry.
    /// - Throws: errors of `contents` and the sink.
    package mutating func replace(
        _ entry: ZipEntry,
        size: Int,
        method: ZipEntry.Method? = nil,
        contents: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void,
    ) throws {
        let header = try localHeader(of: entry)
        var new = RewrittenEntry(
            headerOffset: offset,
            flags: entry.flags.rawValue,
            method: method ?? entry.method,
            crc32: 0,
            compressedSize: 0,
            size: size,
            isZip64: header.isZip64 || size >= UInt32.max - 1 << 20,
        )
        switch new.method {
        case .stored:
            if new.flags & Self.descriptor == 0 {
                try unsafe contents { new.crc32 = unsafe crc32(new.crc32, over: $0) }
            }
            new.compressedSize = size
            try put(header.bytes(of: new))
            var checksum: UInt32 = 0
            try unsafe contents {
                checksum = unsafe crc32(checksum, over: $0)
                try unsafe put($0)
            }
            new.crc32 = checksum
        case .deflated:
            try unsafe deflate(contents, header, into: &new)
        }
        if new.flags & Self.descriptor != 0 { try put(new.descriptor) }
        note(entry, new)
    }

    /// Adds a new file, with the date of an existing entry.
    ///
    /// - Parameters:
    ///   - path: relative to the archive's root.
    ///   - contents: the whole file.
    ///   - mode: permission bits; the type bits are added.
    ///   - model: a file entry whose method and date are used.
    /// - Throws: errors of the sink.
    package mutating func add(
        _ path: RelativePath,
        contents: [UInt8],
        mode: UInt16 = 0o644,
        like model: ZipEntry?,
    ) throws {
        try add(path, contents, mode: 0o100000 | mode, like: model)
    }

    /// Adds a folder; the trailing slash is added to its path.
    ///
    /// - Throws: errors of the sink.
    package mutating func addDirectory(
        _ path: RelativePath,
        mode: UInt16 = 0o755,
        like model: ZipEntry?,
    ) throws {
        try add(RelativePath(path.bytes + "/".utf8), [], mode: 0o040000 | mode, like: model)
    }

    /// Writes the directory, with the original archive's comment; nothing can be added afterwards.
    ///
    /// - Throws: errors of the sink.
    package mutating func finish() throws {
        let start = offset
        let count = directory.count
        for record in directory { try put(record) }
        directory = []
        try put(
            WrittenEnd(
                entryCount: count,
                directoryOffset: start,
                directorySize: offset - start,
                isZip64: isZip64,
                comment: comment,
            ).bytes()
        )
    }
}

extension ZipRewriter {
    private mutating func note(_ entry: ZipEntry, _ new: RewrittenEntry) {
        if let record = records[entry.headerOffset] { directory.append(record.bytes(of: new)) }
    }

    private func localHeader(of entry: ZipEntry) throws -> RewrittenHeader {
        let length = entry.dataOffset - entry.headerOffset
        return try RewrittenHeader(archive.source.bytes(at: entry.headerOffset, count: length))
    }

    /// Compresses the contents.
    ///
    /// The header states the sizes unless the original header does not, or the data is too large to hold
    /// back.
    private mutating func deflate(
        _ contents: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void,
        _ header: RewrittenHeader,
        into new: inout RewrittenEntry,
    ) throws {
        var held: [UInt8] = []
        var checksum: UInt32 = 0
        var compressedSize = 0
        var isStreaming = new.flags & Self.descriptor != 0
        if isStreaming { try put(header.bytes(of: new)) }
        func keep(_ piece: [UInt8]) throws {
            compressedSize += piece.count
            guard !isStreaming else { return try put(piece) }
            held += piece
            guard held.count > Self.greatestHeld else { return }
            isStreaming = true
            new.flags |= Self.descriptor
            try put(header.bytes(of: new))
            try put(held)
            held = []
        }
        let stream = try DeflateStream()
        try unsafe contents {
            checksum = unsafe crc32(checksum, over: $0)
            try unsafe stream.take($0, into: keep)
        }
        try stream.finish(into: keep)
        new.crc32 = checksum
        new.compressedSize = compressedSize
        guard !isStreaming else { return }
        try put(header.bytes(of: new))
        try put(held)
    }

    private mutating func add(
        _ path: RelativePath,
        _ contents: [UInt8],
        mode: UInt16,
        like model: ZipEntry?,
    ) throws {
        var data = contents
        var method = ZipEntry.Method.stored
        if model?.method ?? .deflated == .deflated, !contents.isEmpty {
            data = []
            method = .deflated
            var pieces = [contents]
            try Zip.deflate({ pieces.popLast() }, into: { data += $0 })
        }
        var entry = WrittenEntry(
            path: path.text,
            mode: mode,
            method: method,
            headerOffset: offset,
            hasDescriptor: false,
            isZip64: false,
            moment: model.flatMap { records[$0.headerOffset] }?.moment ?? WrittenEntry.firstMoment,
        )
        entry.crc32 = crc32(0, over: contents)
        entry.size = contents.count
        entry.compressedSize = data.count
        try put(entry.localHeader())
        try put(data)
        directory.append(entry.centralHeader())
    }

    private mutating func copyBytes(_ range: Range<Int>) throws {
        if let copier {
            try copier(range, archive.source)
            offset += range.count
            return
        }
        var buffer = [UInt8](repeating: 0, count: min(Self.window, range.count))
        var position = range.lowerBound
        while position < range.upperBound {
            let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
                let room = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: bytes[..<min(bytes.count, range.upperBound - position)]
                )
                let count = try unsafe archive.source.read(at: position, into: room)
                guard count > 0 else {
                    throw SourceFailure(offset: position, reason: "ended early")
                }
                try unsafe sink(UnsafeRawBufferPointer(rebasing: room[..<count]))
                return count
            }
            position += count
            offset += count
        }
    }

    private mutating func put(_ bytes: [UInt8]) throws {
        try unsafe bytes.withUnsafeBytes { try unsafe sink($0) }
        offset += bytes.count
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) throws {
        try unsafe sink(bytes)
        offset += bytes.count
    }
}
