import Bytes
import Essentials
package import Problems

/// Why a crash report cannot be read.
package enum CrashReportRefusal: ReportableError, Equatable {
    case tooLarge(limit: Int)
    /// It is no crash report of a form that is known.
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
            "give the unchanged .ips file from the phone: Settings > Privacy & Security > "
                + "Analytics & Improvements > Analytics Data"
        }
    }
}

extension CrashReport {
    /// Reads a report: `.ips` as iOS 15 and later write it, or the text form before it and of Xcode.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - limit: the most bytes that are read.
    ///   - values: the most values of JSON that are decoded.
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
        // A line that says of what the rest is; without it, the whole is the report.
        let end = bytes[first...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let rest = bytes[end...].drop(while: Self.isSpace)
        let head = try? JSONDecoder().decode(IncidentHead.self, from: Data(bytes[first..<end]))
        guard let head, !rest.isEmpty else {
            self = try Self.report(in: bytes[first...], IncidentHead())
            return
        }
        guard rest.first == UInt8(ascii: "{") else {
            // Before iOS 15, text follows.
            self = try Self.report(inText: rest)
            return
        }
        self = try Self.report(in: rest, head)
    }

    /// How many values of JSON bytes hold at most, by the marks outside of strings; those behind the limit
    /// are not counted.
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
        // The mark that some editors put first is passed over too.
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
