import Bytes
package import Problems
import Releases

/// Why `git` did not do what was requested.
package enum GitFailure: ReportableError, Equatable {
    case failed(String, status: Int32, said: String)
    case timedOut(String, Duration)
    case tooMuchOutput(String, bytes: Int)
    case signalled(String, signal: Int32)
    /// A pack, or a file of a checkout, exceeds the limit.
    case tooLarge(bytes: Int)
    /// The commit has more files than a checkout may have.
    case tooManyFiles(Int, limit: Int)
    /// The name is not a full reference name, or one that `git` itself would refuse.
    case badReference(String)
    /// Not 40 or 64 hexadecimal digits.
    case badCommit(String)
    /// The commit, tag or branch is not in the repository.
    case unknown(String)
    /// The server redirected the request, with this status.
    case redirected(Int)
    /// This git cannot be restricted to given addresses.
    case tooOld
    /// The address is inside the server's own network.
    case insideAddress(String)
    /// The name resolves to such an address.
    case insideName(String, at: String, String)
}

extension GitFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .failed(let verb, let status, let said):
            said.isEmpty
                ? "git \(verb) failed with exit status \(status)"
                : "git \(verb) failed: \(PrintableText(escaping: said, limit: 400))"
        case .timedOut(let verb, let time):
            "git \(verb) took longer than \(time.components.seconds) seconds"
        case .tooMuchOutput(let verb, let bytes):
            "git \(verb) printed more than \(bytes.grouped) bytes"
        case .signalled(let verb, let signal): "git \(verb) was killed by signal \(signal)"
        case .tooLarge(let bytes): "the repository is larger than \(Wording.size(bytes))"
        case .tooManyFiles(let count, let limit):
            "the commit has \(count.grouped) files, and the limit is \(limit.grouped)"
        case .badReference(let name): "\(quoted: name) is not the name of a tag or branch"
        case .badCommit(let text): "\(quoted: text) is not a commit: it must be hexadecimal digits"
        case .unknown(let name): "there is no \(Self.words(for: name)) in the repository"
        case .redirected(let status):
            "the server answered with a redirect (status \(status)), which is not followed, "
                + "because it could lead to another machine"
        case .tooOld:
            "this git is older than 2.37 and cannot be restricted to the checked address"
        case .insideAddress(let reason): "the repository's host is \(reason)"
        case .insideName(let name, let address, let reason):
            "\(quoted: name) resolves to \(address), which is \(reason)"
        }
    }

    /// Returns a reference's name for display: `tag “v1.2.3”` for `refs/tags/v1.2.3`.
    private static func words(for name: String) -> String {
        for (prefix, kind) in [("refs/tags/", "tag"), ("refs/heads/", "branch")]
        where name.utf8.starts(with: prefix.utf8) {
            return "\(kind) \(quoted: String(name.dropFirst(prefix.count)))"
        }
        return "\(quoted: name)"
    }

    package var kind: Problem.Kind {
        switch self {
        case .badReference, .badCommit, .unknown, .insideAddress, .insideName: .invalid
        case .failed, .timedOut, .tooMuchOutput, .signalled, .tooLarge, .tooManyFiles, .redirected,
            .tooOld:
            .unavailable
        }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .failed: "git.failed"
        case .timedOut: "git.timed-out"
        case .tooMuchOutput: "git.too-much-output"
        case .signalled: "git.signalled"
        case .tooLarge: "git.too-large"
        case .tooManyFiles: "git.too-many-files"
        case .badReference: "git.bad-reference"
        case .badCommit: "git.bad-commit"
        case .unknown: "git.unknown-reference"
        case .redirected: "git.redirected"
        case .tooOld: "git.too-old"
        case .insideAddress, .insideName: "mirror.inside-address"
        }
    }

    /// How to fix it.
    package var fix: String {
        switch self {
        case .failed: "check the address, the network and the credential; try the same with git"
        case .timedOut: "try again, or raise the mirror's limits"
        case .tooLarge: "raise the limit with `ota mirror set NAME --size-limit MEGABYTES`"
        case .tooMuchOutput, .tooManyFiles: "raise the mirror's limits"
        case .signalled: "check whether the machine is short of memory, and try again"
        case .badReference: "give a tag such as v1.2.3, or a branch such as main"
        case .badCommit: "give the full commit hash, 40 or 64 hexadecimal digits"
        case .redirected:
            "give the address that it leads to; hosts redirect from a repository's old name, or "
                + "if .git is missing at the end"
        case .tooOld:
            "install git 2.37 or newer, or allow addresses inside the network with --allow-private"
        case .insideAddress, .insideName:
            "if your git host is there, allow it with --allow-private, or allowPrivate in the API"
        case .unknown: "run `ota mirror sync`, then see `ota mirror show`"
        }
    }
}
