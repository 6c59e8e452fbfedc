/// Where every request is entered once: counted, and written to the log.
struct AccessLog: Sendable {
    let metrics: Metrics
    let log: LogSink

    func enter(_ exchange: Exchange) {
        metrics.count(exchange)
        log.append(RequestLine.text(of: exchange))
    }
}
