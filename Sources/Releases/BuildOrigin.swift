import Essentials

/// The builder and source of a release, as the publisher reported them.
package struct BuildOrigin: Codable, Sendable, Equatable {
    /// The URL of the repository, without user name and password.
    package let repository: String?
    /// The file that defines the build: `.ota/pipeline.yml`, or a workflow.
    package let pipeline: String?
    /// The build service, as a URI.
    package let builder: String?
    /// The URI of the run.
    package let run: String?
    /// The branch that was built.
    package let branch: String?

    /// Drops values that must not be shown: multi-line or long texts, and the passwords in URLs.
    package init(
        repository: String? = nil,
        pipeline: String? = nil,
        builder: String? = nil,
        run: String? = nil,
        branch: String? = nil,
    ) {
        self.repository = Self.address(repository)
        self.pipeline = Self.line(pipeline)
        self.builder = Self.address(builder)
        self.run = Self.address(run)
        self.branch = Self.line(branch)
    }

    /// Cleans a decoded origin like one from the command line.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            repository: try container.decodeIfPresent(String.self, forKey: .repository),
            pipeline: try container.decodeIfPresent(String.self, forKey: .pipeline),
            builder: try container.decodeIfPresent(String.self, forKey: .builder),
            run: try container.decodeIfPresent(String.self, forKey: .run),
            branch: try container.decodeIfPresent(String.self, forKey: .branch),
        )
    }

    /// The maximum length of each value in bytes.
    package static let lengthLimit = 500

    package var isEmpty: Bool { self == BuildOrigin() }

    /// The parts that a remote publisher may report: it must not use names reserved for this server.
    package var withoutReservedNames: BuildOrigin {
        func foreign(_ text: String?) -> String? {
            text.flatMap { $0.lowercased().hasPrefix(Self.ownPrefix) ? nil : $0 }
        }
        return BuildOrigin(
            repository: foreign(repository),
            pipeline: pipeline,
            builder: foreign(builder),
            run: foreign(run),
            branch: branch,
        )
    }

    /// The prefix of names that only this server assigns, such as those of its mirrors.
    package static let ownPrefix = "urn:ota:"

    /// The repository's name for people: `github.com/vforsh/browsey`.
    ///
    /// For a local folder, only its last component.
    package var repositoryName: String? {
        guard var name = repository else { return nil }
        if let scheme = name.firstRange(of: "://") { name = String(name[scheme.upperBound...]) }
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        if name.hasPrefix("/") { name = name.split(separator: "/").last.map(String.init) ?? name }
        return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    }

    /// The build service's name for people: `gitlab.example.com`; nil if the builder is not a URL.
    package var builderName: String? {
        guard let builder, let scheme = builder.firstRange(of: "://") else { return nil }
        let host = builder[scheme.upperBound...].prefix { $0 != "/" }
        let name = host == "github.com" ? "GitHub Actions" : String(host)
        return name.isEmpty ? nil : name
    }

    private static func line(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
        return isPlain && text.utf8.count <= lengthLimit ? text : nil
    }

    /// Removes `user:password@`, the query and the fragment.
    private static func address(_ text: String?) -> String? {
        guard let text = line(text), !text.contains(" ") else { return nil }
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let plain = text[..<end]
        guard !plain.isEmpty else { return nil }
        guard let scheme = plain.firstRange(of: "://") else {
            // `git@github.com:vforsh/browsey.git`, whose user name is not a secret.
            let user = plain.prefix { $0 != "@" }
            return user.contains(":") && user.count < plain.count ? nil : String(plain)
        }
        let rest = plain[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return String(plain) }
        return String(plain[..<scheme.upperBound]) + rest[rest.index(after: at)...]
    }
}
