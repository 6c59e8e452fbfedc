import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks an `ota` server whether there is a newer build of the running app.
///
///     let update = try await UpdateCheck(server: server, app: "browsey").check()
public struct UpdateCheck: Sendable {
    /// Bytes of an answer; a longer one is refused.
    static let sizeLimit = 256 << 10
    /// Seconds after which a check gives up.
    static let patience: TimeInterval = 15

    /// The URL of the server, such as `https://ota.example.com:8443`.
    public let server: URL
    /// The app's bundle identifier, or its name in URLs.
    public let app: String
    /// The channel to follow; nil for the one that the app's page shows.
    public let channel: String?
    /// `CFBundleShortVersionString` of what runs.
    public let version: String
    /// `CFBundleVersion` of what runs.
    public let build: String
    /// A token with the scope `read` for this app alone, where its install page is not open; anyone who
    /// has the app can read it there.
    public let token: String?

    private let session: URLSession

    /// - Parameters:
    ///   - server: the URL of the server, as testers know it.
    ///   - app: the app's bundle identifier, or its name in URLs.
    ///   - channel: the channel to follow; nil for the one that the app's page shows.
    ///   - version: of what runs; by default, that of the main bundle.
    ///   - build: of what runs; by default, that of the main bundle.
    ///   - token: for an app whose install page is not open.
    ///   - session: what the question goes through.
    public init(
        server: URL,
        app: String,
        channel: String? = nil,
        version: String? = nil,
        build: String? = nil,
        token: String? = nil,
        session: URLSession = .shared
    ) {
        self.server = server
        self.app = app
        self.channel = channel
        self.version = version ?? Self.own("CFBundleShortVersionString")
        self.build = build ?? Self.own("CFBundleVersion")
        self.token = token
        self.session = session
    }

    /// Asks once.
    ///
    /// - Parameter os: the version of iOS that a newer build has to run on.
    /// - Returns: the newer build; nil where there is none for this version of iOS.
    /// - Throws: ``UpdateCheckError``, and what `URLSession` throws when the server cannot be reached.
    public func check(
        on os: OperatingSystemVersion = ProcessInfo.processInfo.operatingSystemVersion
    ) async throws -> Update? {
        let (data, response) = try await session.data(for: try request)
        guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
            throw UpdateCheckError.refused(status: (response as? HTTPURLResponse)?.statusCode ?? 0)
        }
        guard data.count <= Self.sizeLimit else { throw UpdateCheckError.unreadable }
        let update = try Answer.update(in: data, from: server)
        return update.flatMap { $0.runs(on: os) ? $0 : nil }
    }

    /// What is sent.
    ///
    /// - Throws: ``UpdateCheckError/badServer``.
    var request: URLRequest {
        get throws {
            guard server.scheme?.lowercased() == "https", server.host != nil,
                var components = URLComponents(url: server, resolvingAgainstBaseURL: false)
            else { throw UpdateCheckError.badServer }
            while components.percentEncodedPath.hasSuffix("/") {
                components.percentEncodedPath.removeLast()
            }
            components.percentEncodedPath += "/api/v1/apps/\(Self.encoded(app))/update"
            let question = [("version", version), ("build", build)]
                + (channel.map { [("channel", $0)] } ?? [])
            components.percentEncodedQuery = question.map { "\($0.0)=\(Self.encoded($0.1))" }
                .joined(separator: "&")
            guard let url = components.url else { throw UpdateCheckError.badServer }
            var request = URLRequest(url: url, timeoutInterval: Self.patience)
            request.setValue("application/json", forHTTPHeaderField: "Accept")
            if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            return request
        }
    }

    /// Everything but letters, digits and `-._~` is encoded, so that a plus sign stays one.
    private static func encoded(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static func own(_ key: String) -> String {
        Bundle.main.object(forInfoDictionaryKey: key) as? String ?? "0"
    }
}

/// Why a check came to nothing.
public enum UpdateCheckError: Error, Equatable, Sendable {
    /// The URL of the server is no `https` URL.
    case badServer
    /// The server answered with this status: 404 for an app that is not there, or whose install page is not
    /// open to the asker.
    case refused(status: Int)
    /// The answer is none that this package understands, or leads to another host.
    case unreadable
}
