package import Logging

/// swift-log into the server's own lines, so that everything on standard error has one form.
package struct LineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level

    private let sink: LogSink
    private let redaction: LogRedaction

    /// - Parameters:
    ///   - sink: takes the lines.
    ///   - redaction: what is left out of values.
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

    /// What Hummingbird reports as an error of each port that closes, also when another port is taken.
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
