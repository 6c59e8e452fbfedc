import Bytes

/// Why a folder cannot tell its version.
package enum CheckoutRefusal: Error, Hashable, Sendable {
    case noRepository(String)
    /// A repository in which nothing has been committed.
    case noCommit(String)
    /// A part of the history is missing, and with it commits to count and tags to find.
    case shallow(String)
}

extension CheckoutRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noRepository: "this is no git repository"
        case .noCommit: "nothing has been committed here yet"
        case .shallow:
            "the clone is shallow: commits cannot be counted and tags may be missing, so neither "
                + "the build number nor the version would be right"
        }
    }

    /// Stable across releases.
    package var id: String {
        switch self {
        case .noRepository: "version.no-repository"
        case .noCommit: "version.no-commit"
        case .shallow: "version.shallow"
        }
    }

    package var place: String {
        switch self {
        case .noRepository(let folder), .noCommit(let folder), .shallow(let folder): folder
        }
    }

    package var mend: String {
        switch self {
        case .noRepository: "name the checkout with --repository"
        case .noCommit: "commit something first"
        case .shallow:
            "fetch the whole history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` for "
                + "GitLab, or `git fetch --unshallow --tags`; --allow-shallow goes on regardless"
        }
    }
}
