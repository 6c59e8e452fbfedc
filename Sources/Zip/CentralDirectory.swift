import Bytes

/// Reads the whole central directory in one ranged read, then parses its entries.
enum CentralDirectory {
    static func entries(
        of source: any ByteSource,
        at end: EndOfCentralDirectory,
        limits: ZipLimits,
    ) throws(ZipRefusal) -> [ZipEntry] {
        guard end.entryCount <= end.directorySize / CentralHeader.size else {
            throw ZipRefusal(
                .countMismatch,
                at: ZipRefusal.endRecord,
                "\(end.entryCount.grouped) entries do not fit in a directory of "
                    + "\(end.directorySize.grouped) bytes",
            )
        }
        var reader = ByteReader(try bytes(of: source, at: end))
        var entries: [ZipEntry] = []
        entries.reserve(try room(for: end.entryCount, limits))
        for index in 0..<end.entryCount {
            guard !reader.isAtEnd else {
                throw ZipRefusal(
                    .countMismatch,
                    at: ZipRefusal.directory,
                    "\(index.grouped) entries, but the end record says \(end.entryCount.grouped)",
                )
            }
            entries.append(try ZipEntry(try header(&reader), limits: limits))
        }
        guard reader.isAtEnd else {
            throw ZipRefusal(
                .countMismatch,
                at: ZipRefusal.directory,
                "\(reader.remaining.grouped) bytes follow the \(end.entryCount.grouped) entries that the end "
                    + "record counts",
            )
        }
        return entries
    }

    private static func room(
        for count: Int,
        _ limits: ZipLimits,
    ) throws(ZipRefusal) -> BoundedCount {
        do throws(OversizedCount) {
            return try BoundedCount(count, atMost: limits.entries, of: "entries")
        } catch {
            throw ZipRefusal(
                .tooManyEntries,
                at: ZipRefusal.endRecord,
                "\(count.grouped) entries, \(error)",
            )
        }
    }

    private static func bytes(
        of source: any ByteSource,
        at end: EndOfCentralDirectory,
    ) throws(ZipRefusal) -> [UInt8] {
        do throws(SourceFailure) {
            return try source.bytes(at: end.directoryOffset, count: end.directorySize)
        } catch {
            throw ZipRefusal(error, at: ZipRefusal.directory)
        }
    }

    private static func header(_ reader: inout ByteReader) throws(ZipRefusal) -> CentralHeader {
        do throws(MalformedBytes) {
            return try CentralHeader(reading: &reader)
        } catch {
            throw ZipRefusal(.malformedDirectory, at: ZipRefusal.directory, error.description)
        }
    }
}
