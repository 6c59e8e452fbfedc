import ServiceLifecycle

/// Writes the log's lines a few times a second, and the last ones at the end.
struct LogFlushing: Service {
    let sink: LogSink

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .milliseconds(200))
                sink.flush()
            }
        }
        sink.flush()
    }
}
