package import Versions

/// What a build is called after.
package enum TagChoice: Sendable, Hashable {
    /// The tag on its commit with the highest version, of the given prefix if there is one.
    case found(prefix: String?)
    /// The tag that a user gave, or that was pushed.
    case named(TagName, prefix: String?)
    /// None, because a branch is built: `dev`.
    case none(prefix: String?)

    var prefix: String? {
        switch self {
        case .found(let prefix), .named(_, let prefix), .none(let prefix): prefix
        }
    }
}
