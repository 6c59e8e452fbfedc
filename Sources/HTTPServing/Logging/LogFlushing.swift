import ServiceLifecycle

/// Flushes the log five times a second, and once more at shutdown.
package struct LogFlushing: Service {
    private let sink: LogSink

    /// - Parameter sink: the log to flush.
    package init(sink: LogSink) {
        self.sink = sink
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .milliseconds(200))
                sink.flush()
            }
        }
        sink.flush()
    }
}
