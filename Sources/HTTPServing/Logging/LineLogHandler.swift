package import Logging

/// Writes swift-log's events as the server's own lines, so that standard error has one format.
package struct LineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level

    private let sink: LogSink
    private let redaction: LogRedaction

    /// - Parameters:
    ///   - sink: receives the lines.
    ///   - redaction: removes secrets from metadata values.
    ///   - level: the least severe level that is logged.
    package init(sink: LogSink, redaction: LogRedaction, level: Logger.Level = .info) {
        self.sink = sink
        self.redaction = redaction
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// The message that Hummingbird logs as an error for each port that closes, even because another port
    /// could not be opened.
    private static let ofClosing = "Waiting on child channel: CancellationError()"

    package func log(event: LogEvent) {
        guard event.message.description != Self.ofClosing else { return }
        var line: [UInt8] = []
        LogText.appendTime(to: &line)
        line += " level=\(event.level.rawValue) event=".utf8
        LogText.append(event.message.description, to: &line)
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            line += " \(key)=".utf8
            LogText.append(redaction.text(value.description), to: &line)
        }
        line.append(UInt8(ascii: "\n"))
        sink.append { $0 += line }
    }
}
