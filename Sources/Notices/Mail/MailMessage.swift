import Bytes
import Foundation
import Releases

/// A notice as an e-mail (RFC 5322): ASCII headers with lines of bounded length, and a Base64 body, in
/// which no line is longer than 76 bytes and none begins with a dot.
struct MailMessage {
    private static let wordLength = 36
    private static let bodyLine = 57

    /// The message, whose lines end in CR LF.
    let bytes: [UInt8]

    /// - Parameters:
    ///   - notice: the notice.
    ///   - identifier: the delivery's identifier; the same at every attempt, so that a receiver can drop
    ///     duplicates.
    ///   - addresses: the sender's and the receiver's address.
    ///   - date: when the message is sent.
    init(
        of notice: Notice,
        as identifier: String,
        _ addresses: (from: MailAddress, to: MailAddress),
        at date: Date,
    ) {
        let from = addresses.from
        let headers = [
            "Date: " + Self.text(of: date),
            "From: ota <\(from)>",
            "To: <\(addresses.to)>",
            "Subject: " + Self.words(notice.title),
            "Message-ID: <\(identifier)@\(from.domain)>",
            "Auto-Submitted: auto-generated",
            "X-Ota-Event: \(notice.event.rawValue)",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64",
        ]
        let lines = headers + [""] + Self.base64(Array(Self.text(of: notice).utf8))
        bytes = Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// The readable text.
    static func text(of notice: Notice) -> String {
        [notice.title + ".", notice.message, notice.link, notice.runLink.map { "CI job: \($0)" }]
            .compactMap(\.self)
            .joined(separator: "\n\n") + "\n"
    }

    /// Encodes text as encoded words (RFC 2047) of at most 75 bytes, each on a line of its own.
    static func words(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if isPlain, text.utf8.count <= 60, !text.contains("=?") { return text }
        var pieces: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if (pieces.last?.count ?? 0) + bytes.count > Self.wordLength { pieces.append([]) }
            pieces[pieces.count - 1] += bytes
        }
        return pieces.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }
            .joined(separator: "\r\n ")
    }

    private static func base64(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: bodyLine).map { start in
            Data(bytes[start..<min(start + bodyLine, bytes.count)]).base64EncodedString()
        }
    }

    private static func text(of date: Date) -> String {
        let format: Date.FormatString = """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) +0000
            """
        let style = Date.VerbatimFormatStyle(
            format: format,
            locale: Locale(identifier: "en_US_POSIX"),
            timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian),
        )
        return date.formatted(style)
    }
}
