/// Enters every request once in the metrics and in the log.
package struct AccessLog: Sendable {
    package let metrics: Metrics
    private let log: LogSink
    private let redaction: LogRedaction

    /// - Parameters:
    ///   - metrics: what counts requests.
    ///   - log: where their lines go.
    ///   - redaction: what is left out of the lines.
    package init(metrics: Metrics, log: LogSink, redaction: LogRedaction) {
        self.metrics = metrics
        self.log = log
        self.redaction = redaction
    }

    func enter(_ exchange: Exchange) {
        metrics.count(exchange)
        log.append(RequestLine.text(of: exchange, redaction))
    }
}
