import ServiceLifecycle

/// Writes the log's lines a few times a second, and the last ones at the end.
package struct LogFlushing: Service {
    private let sink: LogSink

    /// - Parameter sink: whose lines are written.
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
