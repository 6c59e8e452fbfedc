package import Foundation

/// What the servers of all tests wrote and sent, kept so that it can be searched for device identifiers and
/// secrets once all tests have run; `scripts/test` does both.
package enum Traces {
    package enum Kind: String, CaseIterable, Sendable {
        case log, journal, metrics, webhook
        /// A response with status 400 or above: a page, or an error of the API.
        case refusal
        /// A register of devices from a test's store.
        case register
        /// Private keys: of the APIs, of certificates, and those that encrypt other keys.
        case secret
    }

    /// Where traces are kept; nil if they are not wanted.
    private static let folder: URL? = ProcessInfo.processInfo.environment["OTA_KEEP_TRACES"]
        .map { URL(filePath: $0, directoryHint: .isDirectory) }

    /// The folder with a whole run's traces, for the search; nil if there is none.
    package static let kept: URL? = ProcessInfo.processInfo.environment["OTA_TRACES"]
        .map { URL(filePath: $0, directoryHint: .isDirectory) }

    /// Keeps a server's response.
    package static func keep(_ answer: [UInt8], as kind: Kind) {
        keep(Data(answer), as: kind)
    }

    /// Keeps what servers have left in a test's folder: logs, journals, received webhooks, devices.
    static func keep(from place: URL) {
        guard folder != nil else { return }
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: place.path())) ?? []
        for name in names {
            guard let kind = kind(of: name),
                let data = try? Data(contentsOf: place.appending(path: name))
            else { continue }
            keep(data, as: kind)
        }
    }

    private static func kind(of name: String) -> Kind? {
        let parts = name.split(separator: "/")
        guard let last = parts.last, parts.count < 5 else { return nil }
        if last == "devices.json" { return .register }
        if last == "key" || last == "identity.pem" || last.hasSuffix(".p8") { return .secret }
        if last.hasPrefix("received-"), last.hasSuffix(".jsonl") { return .webhook }
        if last.hasSuffix(".jsonl") { return .journal }
        return ["log", "server.log", "errors"].contains(last) ? .log : nil
    }

    private static func keep(_ data: Data, as kind: Kind) {
        guard let folder, !data.isEmpty else { return }
        try? data.write(to: folder.appending(path: "\(kind.rawValue)-\(UUID().uuidString)"))
    }
}
