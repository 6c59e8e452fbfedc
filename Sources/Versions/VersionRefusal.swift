import Bytes
package import Problems

/// Why no version can be determined for a checkout or a tag.
package enum VersionRefusal: ReportableError, Hashable, Sendable {
    case badTag(TagFlaw)
    /// The requested tag is not a version.
    case noVersion(TagName, VersionFlaw)
    /// The commit has tags for several apps.
    case severalPrefixes([String])
    case badPrefix(String)
}

extension VersionRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badTag(let flaw): flaw.description
        case .noVersion(let tag, let flaw): "the tag \(tag) names no version: \(flaw)"
        case .severalPrefixes(let prefixes):
            "the commit is tagged for several apps: \(quoted: prefixes)"
        case .badPrefix(let prefix): "\(quoted: prefix) is not a valid tag prefix"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .severalPrefixes: .conflict
        case .badTag, .noVersion, .badPrefix: .invalid
        }
    }

    /// Stable across releases of `ota`.
    package var id: String {
        switch self {
        case .badTag(let flaw): flaw.id
        case .noVersion: "version.not-a-version"
        case .severalPrefixes: "version.several-prefixes"
        case .badPrefix: "version.bad-prefix"
        }
    }

    package var fix: String {
        switch self {
        case .badTag(let flaw): flaw.fix
        case .noVersion: "give a tag such as v1.2.3 or v1.2.3-beta.4, or none for a dev build"
        case .severalPrefixes(let prefixes):
            "choose the app with --prefix \(prefixes.first ?? "app/")"
        case .badPrefix: "give a prefix such as browsey/"
        }
    }
}
