import Bytes
package import Problems

/// Writes an archive from start to end; the same calls give the same bytes.
///
/// Every entry is dated 1980-01-01, made by Unix and named in UTF-8. Paths are written as given;
/// ``ZipArchive`` checks them when reading.
///
///     let bytes = try ZipWriter.archive { zip in
///         try zip.addDirectory("Payload")
///         try zip.add("Payload/a.txt", contents: Array("a".utf8))
///     }
package struct ZipWriter {
    /// Variants of the format that some other writers use; all of them are read alike.
    package struct Options: Sendable {
        /// Write sizes and checksum after the data even where they are known beforehand.
        package var dataDescriptors: Bool
        /// Begin a descriptor with its signature, as almost every writer does.
        package var descriptorSignature: Bool
        /// Write the zip64 forms even where 32 bits suffice.
        package var forceZip64: Bool
        /// The comment after the end record.
        package var comment: [UInt8]

        package init(
            dataDescriptors: Bool = false,
            descriptorSignature: Bool = true,
            forceZip64: Bool = false,
            comment: [UInt8] = [],
        ) {
            self.dataDescriptors = dataDescriptors
            self.descriptorSignature = descriptorSignature
            self.forceZip64 = forceZip64
            self.comment = comment
        }
    }

    private let options: Options
    private let sink: ([UInt8]) throws -> Void
    private var entries: [WrittenEntry] = []
    private var offset = 0

    /// - Parameters:
    ///   - options: the variants of the format.
    ///   - sink: receives the archive's bytes in order.
    package init(options: Options = Options(), sink: @escaping ([UInt8]) throws -> Void) {
        self.options = options
        self.sink = sink
    }

    /// Returns the bytes of a whole archive that fits in memory.
    ///
    /// - Throws: errors of `build`, or ``ZipWriterFailure``.
    package static func archive(
        options: Options = Options(),
        _ build: (inout ZipWriter) throws -> Void,
    ) throws -> [UInt8] {
        let collected = CollectedBytes()
        var writer = ZipWriter(options: options) { collected.bytes += $0 }
        try build(&writer)
        try writer.finish()
        return collected.bytes
    }

    /// Adds a file whose contents are in memory.
    ///
    /// - Parameters:
    ///   - path: relative to the archive's root.
    ///   - contents: the whole file.
    ///   - mode: permission bits; the type bits are added.
    ///   - method: the compression method; an empty file is always stored.
    /// - Throws: errors of the sink.
    package mutating func add(
        _ path: String,
        contents: [UInt8],
        mode: UInt16 = 0o644,
        method: ZipEntry.Method = .deflated,
    ) throws {
        try add(path, contents: contents, mode: 0o100000 | mode, method)
    }

    /// Adds a folder; the trailing slash is added to its path.
    ///
    /// - Throws: errors of the sink.
    package mutating func addDirectory(_ path: String, mode: UInt16 = 0o755) throws {
        try add(path + "/", contents: [], mode: 0o040000 | mode, .stored)
    }

    /// Adds a symbolic link; the target is not checked.
    package mutating func addSymbolicLink(_ path: String, target: String) throws {
        try add(path, contents: Array(target.utf8), mode: 0o120000 | 0o755, .stored)
    }

    /// Adds a file whose contents arrive in pieces and whose size is known only at the end.
    ///
    /// - Parameters:
    ///   - path: relative to the archive's root.
    ///   - mode: permission bits; the type bits are added.
    ///   - method: stored or deflated.
    ///   - isLarge: whether it may exceed 4 GiB, which must be known before the first byte.
    ///   - next: returns each piece, and nil after the last.
    /// - Throws: ``ZipWriterFailure/entryTooLarge(_:)`` when it exceeds 4 GiB without `isLarge`, or
    ///   errors of `next` and the sink.
    package mutating func add(
        _ path: String,
        mode: UInt16 = 0o644,
        method: ZipEntry.Method = .deflated,
        isLarge: Bool = false,
        streaming next: () throws -> [UInt8]?,
    ) throws {
        var entry = WrittenEntry(
            path: path,
            mode: 0o100000 | mode,
            method: method,
            headerOffset: offset,
            hasDescriptor: true,
            isZip64: isLarge || options.forceZip64,
        )
        try write(entry.localHeader())
        func measured() throws -> [UInt8]? {
            guard let piece = try next() else { return nil }
            entry.crc32 = crc32(entry.crc32, over: piece)
            entry.size += piece.count
            return piece
        }
        let start = offset
        switch method {
        case .stored: while let piece = try measured() { try write(piece) }
        case .deflated: try deflate(measured, into: { try write($0) })
        }
        entry.compressedSize = offset - start
        guard entry.isZip64 || max(entry.size, entry.compressedSize) < UInt32.max else {
            throw ZipWriterFailure.entryTooLarge(path)
        }
        try write(entry.descriptor(withSignature: options.descriptorSignature))
        entries.append(entry)
    }

    /// Writes the directory and the end records; nothing can be added afterwards.
    ///
    /// - Throws: errors of the sink.
    package mutating func finish() throws {
        let directoryOffset = offset
        for entry in entries { try write(entry.centralHeader()) }
        try write(
            WrittenEnd(
                entryCount: entries.count,
                directoryOffset: directoryOffset,
                directorySize: offset - directoryOffset,
                isZip64: options.forceZip64,
                comment: options.comment,
            ).bytes()
        )
    }

    private mutating func add(
        _ path: String,
        contents: [UInt8],
        mode: UInt16,
        _ method: ZipEntry.Method,
    ) throws {
        var data: [UInt8] = []
        if method == .deflated, !contents.isEmpty {
            var pieces = [contents]
            try deflate({ pieces.popLast() }, into: { data += $0 })
        } else {
            data = contents
        }
        var entry = WrittenEntry(
            path: path,
            mode: mode,
            method: contents.isEmpty ? .stored : method,
            headerOffset: offset,
            hasDescriptor: options.dataDescriptors,
            isZip64: options.forceZip64 || max(data.count, contents.count) >= UInt32.max,
        )
        entry.crc32 = crc32(0, over: contents)
        entry.size = contents.count
        entry.compressedSize = data.count
        try write(entry.localHeader())
        try write(data)
        if entry.hasDescriptor {
            try write(entry.descriptor(withSignature: options.descriptorSignature))
        }
        entries.append(entry)
    }

    private mutating func write(_ bytes: [UInt8]) throws {
        try sink(bytes)
        offset += bytes.count
    }
}

/// Why an archive could not be written; errors of the sink are rethrown unchanged.
package enum ZipWriterFailure: ReportableError, Equatable {
    /// A streamed entry exceeded 4 GiB without having been announced as large.
    case entryTooLarge(String)
    case outOfMemory

    package var description: String {
        switch self {
        case .entryTooLarge(let path): "\(path) exceeds 4 GiB and was not announced as large"
        case .outOfMemory: "no memory to compress"
        }
    }
}

extension ZipWriterFailure {
    package var id: String {
        switch self {
        case .entryTooLarge: "zip.entry-too-large"
        case .outOfMemory: "zip.out-of-memory"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .entryTooLarge: .tooLarge
        case .outOfMemory: .unavailable
        }
    }
}

private final class CollectedBytes {
    var bytes: [UInt8] = []
}
