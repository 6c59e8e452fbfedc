import Bytes
package import Problems

/// Why the version of a folder cannot be determined.
package enum CheckoutRefusal: ReportableError, Hashable, Sendable {
    case noFolder(String)
    /// The path is a file, which cannot be a repository.
    case notAFolder(String)
    case noRepository(String)
    /// `git` refuses to work with the repository; with git's message.
    case unusable(String, said: String)
    /// The repository has no commits.
    case noCommit(String)
    /// The clone is shallow, so that commits and tags may be missing.
    case shallow(String)
}

extension CheckoutRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFolder: "there is no such folder"
        case .notAFolder: "this is a file, not a folder with a git repository"
        case .noRepository: "neither this folder nor a parent folder is a git repository"
        case .unusable(_, let said):
            "git cannot work with the repository here: \(PrintableText(escaping: said, limit: 400))"
        case .noCommit: "nothing has been committed here yet"
        case .shallow:
            "the clone is shallow: commits and tags are missing, so the build number and the "
                + "version would be wrong"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .noFolder, .notAFolder, .noRepository: .notFound
        case .noCommit, .shallow: .conflict
        case .unusable: .unavailable
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

    package var fix: String {
        switch self {
        case .noFolder:
            "check the path given to --repository; it is relative to the current folder"
        case .notAFolder: "give the folder that contains .git with --repository"
        case .noRepository:
            "give the checkout with --repository; a downloaded source archive has no history, so "
                + "clone the repository"
        case .unusable: "clone the repository again, or fix what `git status` reports there"
        case .noCommit: "commit something first"
        case .shallow:
            "fetch the whole history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` for "
                + "GitLab, or `git fetch --unshallow --tags`; --allow-shallow continues anyway"
        }
    }
}
