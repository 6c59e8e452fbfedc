import Bytes
package import Problems
package import Versions

/// A submodule: one section of `.gitmodules`, which anyone who may push can write.
package struct Submodule: Sendable, Equatable {
    /// Relative to the checkout that it belongs to.
    package let path: String
    package let address: MirrorAddress
    package let commit: CommitIdentifier

    /// The number of submodules of a commit, including nested ones.
    package static let countLimit = 50
    package static let depthLimit = 5
    /// The largest `.gitmodules`, in bytes.
    static let sizeLimit = 64 << 10
}

/// Why a submodule cannot be checked out, which fails the build.
package enum SubmoduleFlaw: ReportableError, Hashable {
    case path(String)
    case address(String, AddressFlaw)
    case otherServer(String, String)
    case climbs(String)
    case notListed(String)
    case tooMany
    case tooDeep(String)
    /// The commit is not reachable from any branch or tag of its repository.
    case absent(String, commit: String)
}

extension SubmoduleFlaw {
    package var id: String { "git.submodule-refused" }
    package var kind: Problem.Kind { .refused }
}

extension SubmoduleFlaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .path(let path): "the submodule path \(quoted: path) leads out of the checkout"
        case .address(let path, let flaw): "the submodule \(quoted: path) is not fetched: \(flaw)"
        case .otherServer(let path, let server):
            "the submodule \(quoted: path) comes from \(quoted: server), not from the "
                + "mirror's; `ota mirror set --submodules any` allows it"
        case .climbs(let path):
            "the submodule \(quoted: path) is not fetched: its address leads above the mirror's"
        case .notListed(let path): "the submodule \(quoted: path) is not in .gitmodules"
        case .tooMany: "the commit has more than \(Submodule.countLimit) submodules"
        case .tooDeep(let path): "the submodule \(quoted: path) is nested too deeply"
        case .absent(let path, let commit):
            "commit \(commit.shortCommit) of the submodule \(quoted: path) is on no branch or tag"
        }
    }
}
