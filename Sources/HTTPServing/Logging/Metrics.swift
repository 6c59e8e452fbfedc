import Synchronization

/// Counters for operators; none contains text from a client.
package final class Metrics: Sendable {
    private struct Key: Hashable {
        let route: String
        let status: Int
    }

    private struct State {
        var requests: [Key: Int] = [:]
        var bytesSent = 0
        var openConnections = 0
        var connections = 0
        var runningDownloads = 0
        var completedDownloads = 0
        var cutDownloads = 0
        var mostHeld = 0
    }

    private let prefix: String
    private let began = ContinuousClock.now
    private let state = Mutex(State())

    /// Starts counting.
    ///
    /// - Parameter prefix: the prefix of all metric names, as Prometheus recommends.
    package init(prefix: String) {
        self.prefix = prefix
    }

    func count(_ exchange: Exchange) {
        state.withLock { state in
            state.requests[Key(route: exchange.route, status: exchange.status), default: 0] += 1
            state.bytesSent += exchange.bytes
        }
    }

    func connectionOpened() {
        state.withLock {
            $0.openConnections += 1
            $0.connections += 1
        }
    }

    func connectionClosed() {
        state.withLock { $0.openConnections -= 1 }
    }

    /// Records how many bytes the server held for one connection.
    func connectionHeld(_ bytes: Int) {
        state.withLock { $0.mostHeld = max($0.mostHeld, bytes) }
    }

    /// Counts a download that has started.
    package func downloadBegan() {
        state.withLock { $0.runningDownloads += 1 }
    }

    /// Counts a download that has ended, whether complete or not.
    package func downloadEnded(complete: Bool) {
        state.withLock {
            $0.runningDownloads -= 1
            if complete { $0.completedDownloads += 1 } else { $0.cutDownloads += 1 }
        }
    }

    /// Returns the metrics in the Prometheus text format, version 0.0.4.
    package func text() -> String {
        let state = state.withLock { $0 }
        var text = ""
        func metric(_ name: String, _ kind: String, _ help: String, _ value: String) {
            text += "# HELP \(prefix)_\(name) \(help)\n# TYPE \(prefix)_\(name) \(kind)\n"
            text += "\(prefix)_\(name) \(value)\n"
        }
        text += "# HELP \(prefix)_requests_total Requests answered, by route and status.\n"
        text += "# TYPE \(prefix)_requests_total counter\n"
        let requests = state.requests.sorted {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }
        for (key, count) in requests {
            text += "\(prefix)_requests_total"
            text += "{route=\"\(key.route)\",status=\"\(key.status)\"} \(count)\n"
        }
        metric(
            "sent_bytes_total",
            "counter",
            "Bytes of response bodies.",
            "\(state.bytesSent)",
        )
        metric("connections", "gauge", "Open connections.", "\(state.openConnections)")
        metric("connections_total", "counter", "Connections accepted.", "\(state.connections)")
        metric(
            "connection_held_bytes_max",
            "gauge",
            "Most bytes that one connection held between client and routes.",
            "\(state.mostHeld)",
        )
        metric(
            "downloads_running",
            "gauge",
            "Downloads under way.",
            "\(state.runningDownloads)",
        )
        metric(
            "downloads_completed_total",
            "counter",
            "Downloads that were sent completely.",
            "\(state.completedDownloads)",
        )
        metric(
            "downloads_cut_total",
            "counter",
            "Downloads that ended early.",
            "\(state.cutDownloads)",
        )
        let uptime = (ContinuousClock.now - began).components.seconds
        metric("uptime_seconds", "gauge", "Time since the server started.", "\(uptime)")
        return text
    }
}
