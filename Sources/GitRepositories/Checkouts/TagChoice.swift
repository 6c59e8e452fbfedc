package import Versions

/// The tag that determines the version of a build.
package enum TagChoice: Sendable, Hashable {
    /// The tag on the commit with the highest version, among those with the prefix if one is given.
    case found(prefix: String?)
    /// The tag that a user gave, or that was pushed.
    case named(TagName, prefix: String?)
    /// No tag, because a branch is built: `dev`.
    case none(prefix: String?)

    var prefix: String? {
        switch self {
        case .found(let prefix), .named(_, let prefix), .none(let prefix): prefix
        }
    }
}
