/// A request as one line of the log, in logfmt.
enum RequestLine {
    static func text(of exchange: Exchange, _ redaction: LogRedaction) -> String {
        var line = LogText.timestamp()
        line += " level=info event=request method=\(LogText.value(exchange.method))"
        line += " path=\(LogText.value(redaction.target(exchange.target)))"
        line += " status=\(exchange.status) bytes=\(exchange.bytes)"
        line += " ms=\(LogText.milliseconds(exchange.duration))"
        line += " client=\(LogText.value(exchange.client))"
        if !exchange.agent.isEmpty {
            line += " agent=\(LogText.value(redaction.agent(exchange.agent)))"
        }
        if let note = exchange.note { line += " note=\(LogText.value(note))" }
        line += "\n"
        return line
    }
}
