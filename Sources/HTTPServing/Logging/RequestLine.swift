/// A request as one line of the log, in logfmt.
enum RequestLine {
    /// Appends the line, with its line feed.
    ///
    /// - Parameters:
    ///   - exchange: the request and its outcome.
    ///   - target: the target as written to the log, quoted if necessary.
    ///   - agent: the `User-Agent` as written to the log; empty if there is none.
    ///   - lines: the log.
    static func append(
        _ exchange: Exchange,
        target: [UInt8],
        agent: [UInt8],
        to lines: inout [UInt8],
    ) {
        LogText.appendTime(to: &lines)
        lines += " level=info event=request method=".utf8
        LogText.append(exchange.method, to: &lines)
        lines += " path=".utf8
        lines += target
        lines += " status=".utf8
        lines += "\(exchange.status)".utf8
        lines += " bytes=".utf8
        lines += "\(exchange.bytes)".utf8
        lines += " ms=".utf8
        LogText.append(milliseconds: exchange.duration, to: &lines)
        lines += " client=".utf8
        LogText.append(exchange.client, to: &lines)
        if !agent.isEmpty {
            lines += " agent=".utf8
            lines += agent
        }
        if let note = exchange.note {
            lines += " note=".utf8
            LogText.append(note, to: &lines)
        }
        lines.append(UInt8(ascii: "\n"))
    }
}
