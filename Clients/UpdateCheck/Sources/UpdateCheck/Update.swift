import Foundation

/// A newer build of the app that asked.
public struct Update: Sendable, Equatable, Identifiable {
    /// `CFBundleShortVersionString` of the newer build.
    public let version: String
    /// `CFBundleVersion` of the newer build.
    public let build: String
    /// The release notes, Markdown.
    public let notes: String
    /// When it was published.
    public let published: Date
    /// Bytes of the download.
    public let size: Int
    /// The least version of iOS, as the build states it.
    public let minimumOS: String?
    /// The install page.
    public let page: URL
    /// What makes iOS ask whether to install the build; nil where the install page has to decide that.
    public let install: URL?
    /// Whether the running version may no longer be used.
    public let isMandatory: Bool

    public var id: String { "\(version) (\(build))" }

    /// What *Update* opens: the iOS prompt, or the install page.
    public var url: URL { install ?? page }

    /// Whether a version of iOS is new enough for the build.
    public func runs(on os: OperatingSystemVersion) -> Bool {
        guard let minimumOS else { return true }
        let wanted = minimumOS.split(separator: ".").map { Int($0) ?? 0 }
        let present = [os.majorVersion, os.minorVersion, os.patchVersion]
        for index in 0..<max(wanted.count, present.count) {
            let least = index < wanted.count ? wanted[index] : 0
            let own = index < present.count ? present[index] : 0
            if own != least { return own > least }
        }
        return true
    }
}

/// The answer of `GET /api/v1/apps/{app}/update`; keys that are added later are ignored.
struct Answer: Decodable {
    let mandatory: Bool
    let update: Build?

    struct Build: Decodable {
        let version, build, notes, page: String
        let published: Date
        let size: Int
        let minimumOS, install: String?
    }

    /// The update that the answer offers; nil where it offers none.
    ///
    /// - Parameters:
    ///   - data: the body of the answer.
    ///   - server: where it came from; the app opens no address of another host.
    /// - Throws: ``UpdateCheckError/unreadable``.
    static func update(in data: Data, from server: URL) throws -> Update? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let answer = try? decoder.decode(Answer.self, from: data) else {
            throw UpdateCheckError.unreadable
        }
        guard let build = answer.update else { return nil }
        guard let page = URL(string: build.page), isOwn(page, server) else {
            throw UpdateCheckError.unreadable
        }
        let install = build.install.flatMap { URL(string: $0) }
        guard install.map({ isInstallLink($0, server) }) ?? (build.install == nil) else {
            throw UpdateCheckError.unreadable
        }
        return Update(
            version: build.version,
            build: build.build,
            notes: build.notes,
            published: build.published,
            size: build.size,
            minimumOS: build.minimumOS,
            page: page,
            install: install,
            isMandatory: answer.mandatory
        )
    }

    private static func isOwn(_ url: URL, _ server: URL) -> Bool {
        url.scheme?.lowercased() == "https" && url.host?.lowercased() == server.host?.lowercased()
    }

    private static func isInstallLink(_ url: URL, _ server: URL) -> Bool {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let manifests = items.filter { $0.name == "url" }.compactMap { $0.value.flatMap(URL.init) }
        return url.scheme?.lowercased() == "itms-services" && manifests.count == 1
            && manifests.allSatisfy { isOwn($0, server) }
    }
}
