import Essentials

/// Who built a release, and from what, as the publisher reported it.
package struct BuildOrigin: Codable, Sendable, Equatable {
    /// The address of the repository, without a name or password in it.
    package let repository: String?
    /// The file that said how to build: `.ota/pipeline.yml`, a workflow.
    package let pipeline: String?
    /// The service that built, as a URI.
    package let builder: String?
    /// This run of it.
    package let run: String?
    /// The branch that it was built from.
    package let branch: String?

    /// Keeps of each what may be shown: one line, not too long, no password.
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

    /// A decoded origin is cleaned like one that the command line builds.
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

    /// Bytes of each.
    package static let lengthLimit = 500

    package var isEmpty: Bool { self == BuildOrigin() }

    /// The parts that a remote publisher may report: it may not use names of this server's own.
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

    /// How names begin that only this server gives, such as those of its mirrors.
    package static let ownPrefix = "urn:ota:"

    /// `github.com/vforsh/browsey`: the repository as people say it.
    ///
    /// Of a folder on a machine only its own name.
    package var repositoryName: String? {
        guard var name = repository else { return nil }
        if let scheme = name.firstRange(of: "://") { name = String(name[scheme.upperBound...]) }
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        if name.hasPrefix("/") { name = name.split(separator: "/").last.map(String.init) ?? name }
        return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    }

    /// `gitlab.example.com`: the service that built as people say it; nil for what is no address.
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

    /// Without `user:password@`, and without what a query could hold.
    private static func address(_ text: String?) -> String? {
        guard let text = line(text), !text.contains(" ") else { return nil }
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let plain = text[..<end]
        guard let scheme = plain.firstRange(of: "://") else {
            // `git@github.com:vforsh/browsey.git`, where the name is everyone's.
            let user = plain.prefix { $0 != "@" }
            return user.contains(":") && user.count < plain.count ? nil : String(plain)
        }
        let rest = plain[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return String(plain) }
        return String(plain[..<scheme.upperBound]) + rest[rest.index(after: at)...]
    }
}
