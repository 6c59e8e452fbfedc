import Bytes

/// Why a folder cannot tell its version.
package enum CheckoutRefusal: Error, Hashable, Sendable {
    case noFolder(String)
    /// A file, which cannot be one.
    case notAFolder(String)
    case noRepository(String)
    /// A repository that `git` will not work with, in its own words.
    case unusable(String, said: String)
    /// A repository in which nothing has been committed.
    case noCommit(String)
    /// A part of the history is missing, and with it commits to count and tags to find.
    case shallow(String)
}

extension CheckoutRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFolder: "there is no such folder, and so no git repository"
        case .notAFolder: "this is a file, and no folder with a git repository"
        case .noRepository: "neither this folder nor one above it is a git repository"
        case .unusable(_, let said):
            "git cannot work with the repository here: \(PrintableText(escaping: said, limit: 400))"
        case .noCommit: "nothing has been committed here yet"
        case .shallow:
            "the clone is shallow: commits cannot be counted and tags may be missing, so neither "
                + "the build number nor the version would be right"
        }
    }

    /// Stable across releases.
    package var id: String {
        switch self {
        case .noFolder, .notAFolder, .noRepository: "version.no-repository"
        case .unusable: "version.unusable-repository"
        case .noCommit: "version.no-commit"
        case .shallow: "version.shallow"
        }
    }

    package var place: String {
        switch self {
        case .noFolder(let folder), .notAFolder(let folder), .noRepository(let folder),
            .unusable(let folder, _), .noCommit(let folder), .shallow(let folder):
            folder
        }
    }

    package var mend: String {
        switch self {
        case .noFolder:
            "check the path after --repository, which begins in the folder that one is in"
        case .notAFolder: "name the folder that has .git in it with --repository"
        case .noRepository:
            "name the checkout with --repository; a downloaded archive of the sources has no history "
                + "and will not do: clone the repository"
        case .unusable: "clone the repository again, or mend what `git status` says there"
        case .noCommit: "commit something first"
        case .shallow:
            "fetch the whole history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` for "
                + "GitLab, or `git fetch --unshallow --tags`; --allow-shallow goes on regardless"
        }
    }
}
