import Bundles
package import HTTPServing
import Identifiers
package import Logging

/// swift-log into the server's own lines, so that everything on standard error has one form.
package struct LineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level

    private let sink: LogSink

    package init(sink: LogSink, level: Logger.Level = .info) {
        self.sink = sink
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = LogText.timestamp()
        line += " level=\(event.level.rawValue) event=\(LogText.value(event.message.description))"
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            line += " \(key)=\(LogText.value(DeviceUDID.masked(in: value.description)))"
        }
        sink.append(line + "\n")
    }
}
