/// Records every request once in the metrics and in the log.
package struct AccessLog: Sendable {
    package let metrics: Metrics
    private let log: LogSink
    private let targets: WrittenWords
    private let agents: WrittenWords

    /// - Parameters:
    ///   - metrics: counts the requests.
    ///   - log: receives the lines.
    ///   - redaction: removes secrets from the lines.
    package init(metrics: Metrics, log: LogSink, redaction: LogRedaction) {
        self.metrics = metrics
        self.log = log
        targets = WrittenWords(redaction.target)
        agents = WrittenWords(redaction.agent)
    }

    func enter(_ exchange: Exchange) {
        metrics.count(exchange)
        let target = targets.bytes(of: exchange.target)
        let agent = exchange.agent.isEmpty ? [] : agents.bytes(of: exchange.agent)
        log.append { lines in
            RequestLine.append(exchange, target: target, agent: agent, to: &lines)
        }
    }
}
