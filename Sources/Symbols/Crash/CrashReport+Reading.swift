import Bytes
import Essentials
package import Problems

/// Why a crash report cannot be read.
package enum CrashReportRefusal: ReportableError, Equatable {
    case tooLarge(limit: Int)
    /// It is not a crash report in a known format.
    case unknown(reason: String)
    case tooMany(String, limit: Int)

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the crash report has more than \(limit.grouped) bytes"
        case .unknown(let reason): "this is not a crash report: \(reason)"
        case .tooMany(let what, let limit): "the crash report has more than \(limit) \(what)"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .tooLarge, .tooMany: .tooLarge
        case .unknown: .invalid
        }
    }

    package var id: String {
        switch self {
        case .tooLarge, .tooMany: "crash.too-large"
        case .unknown: "crash.unknown-form"
        }
    }

    package var fix: String {
        switch self {
        case .tooLarge, .tooMany: "give the report of one crash"
        case .unknown:
            "give the unchanged .ips file from the phone: Settings › Privacy & Security › "
                + "Analytics & Improvements › Analytics Data"
        }
    }
}

extension CrashReport {
    /// Parses a report: `.ips` as iOS 15 and later write it, or the older text format, which Xcode also
    /// writes.
    ///
    /// - Parameters:
    ///   - bytes: the contents of the file.
    ///   - limit: the maximum number of bytes.
    ///   - values: the maximum number of JSON values to decode.
    /// - Throws: ``CrashReportRefusal``.
    package init(
        reading bytes: [UInt8],
        atMost limit: Int = SymbolLimits.reportBytes,
        values: Int = SymbolLimits.values,
    ) throws(CrashReportRefusal) {
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        guard Self.values(in: bytes, atMost: values) <= values else {
            throw .tooMany("values", limit: values)
        }
        guard let first = bytes.firstIndex(where: { !Self.isSpace($0) }) else {
            throw .unknown(reason: "it is empty")
        }
        guard bytes[first] == UInt8(ascii: "{") else {
            self = try Self.report(inText: bytes[...])
            return
        }
        // The first line describes the rest; without it, everything is the report.
        let end = bytes[first...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let rest = bytes[end...].drop(while: Self.isSpace)
        let head = try? JSONDecoder().decode(IncidentHead.self, from: Data(bytes[first..<end]))
        guard let head, !rest.isEmpty else {
            self = try Self.report(in: bytes[first...], IncidentHead())
            return
        }
        guard rest.first == UInt8(ascii: "{") else {
            // Before iOS 15, the rest is text.
            self = try Self.report(inText: rest)
            return
        }
        self = try Self.report(in: rest, head)
    }

    /// An upper bound for the number of JSON values, counted by delimiters outside strings; stops at the
    /// limit.
    private static func values(in bytes: [UInt8], atMost limit: Int) -> Int {
        var count = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"):
                count += 1
                if count > limit { return count }
            default: break
            }
        }
        return count
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        // Also skips the byte order mark that some editors write.
        [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(byte)
    }

    private static func report(
        inText bytes: ArraySlice<UInt8>
    ) throws(CrashReportRefusal) -> CrashReport {
        var text = CrashText(String(decoding: bytes, as: UTF8.self))
        return try text.read()
    }

    private static func report(
        in bytes: ArraySlice<UInt8>,
        _ head: IncidentHead,
    ) throws(CrashReportRefusal) -> CrashReport {
        let body: IncidentBody
        do {
            body = try JSONDecoder().decode(IncidentBody.self, from: Data(bytes))
        } catch {
            throw .unknown(reason: "what follows its first line is not a JSON object")
        }
        guard body.images != nil || body.threads != nil else {
            throw .unknown(reason: "it has neither usedImages nor threads")
        }
        return try body.report(head)
    }
}
