package import Identifiers
package import Problems
import Bytes

/// Why a request about a runner, or from its agent, is refused.
package enum RunnerRefusal: ReportableError, Hashable, Sendable {
    case unknown(String)
    case nameTaken(Slug)
    case badName(String)
    case badLabel(String)
    case tooMany(Int)
    case tooManyLabels(Int)
    case tooManyMirrors(Int)
    case noMirror
    /// The code was never issued, has been used, or belongs to another runner.
    case wrongCode
    case codeExpired(Slug)
    case unknownToken
    /// The attempt is over: another runner has the stage, or the build no longer needs it.
    case leaseEnded
    /// The bytes do not start where the file ends.
    case wrongOffset(StageFile, expected: Int)
    /// The file is larger than the build's limit.
    case tooLarge(StageFile, limit: Int)
    /// The request has more bytes than the server accepts in one.
    case pieceTooLarge(StageFile, limit: Int)
    /// Fewer or more bytes arrived than the agent announced.
    case incomplete(expected: Int, found: Int)
    case wrongDigest
    /// The member of a document that is wrong, and what it must be.
    case badReport(String, String)
    /// There are no files of earlier steps for the agent.
    case noFiles
    case noRoom(bytes: Int)
    case noRepository(Slug)

    /// The files that a runner uploads.
    package enum StageFile: String, Hashable, Sendable {
        case log, archive
    }
}

extension RunnerRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let name): "there is no runner \(quoted: name)"
        case .nameTaken(let name): "there is already a runner \(name)"
        case .badName(let name):
            "\(quoted: name) is not a valid runner name: use lower-case letters, digits and "
                + "single hyphens"
        case .badLabel(let label):
            "\(quoted: label) is not a valid label: use lower-case letters, digits, `.`, `_` and "
                + "`-`, and not `\(RunnerLabel.server)`"
        case .tooMany(let limit): "there are already \(limit) runners"
        case .tooManyLabels(let limit): "a runner can have at most \(limit) labels"
        case .tooManyMirrors(let limit): "a runner can build for at most \(limit) mirrors"
        case .noMirror: "a runner must build for at least one mirror"
        case .wrongCode:
            "the registration code is wrong, was used before, or is for a runner with another name"
        case .codeExpired(let name): "the registration code of the runner \(name) has expired"
        case .unknownToken: "the request has no valid runner token"
        case .leaseEnded:
            "the runner no longer holds the lease: it was not heard from in time, the build was "
                + "cancelled, or the runner may no longer take it"
        case .wrongOffset(let file, let expected):
            "the server has \(expected.grouped) bytes of the \(file.rawValue), and the next ones must start "
                + "there"
        case .tooLarge(let file, let limit):
            "the \(file.rawValue) is larger than the \(limit.grouped) bytes that the build may upload"
        case .pieceTooLarge(let file, let limit):
            "a piece of the \(file.rawValue) may have at most \(limit.grouped) bytes"
        case .incomplete(let expected, let found):
            "the archive should have \(expected.grouped) bytes, but \(found.grouped) arrived"
        case .wrongDigest:
            "the archive does not have the announced SHA-256, so the server deleted it"
        case .badReport(let member, let words): "\(member) must be \(words)"
        case .noFiles: "the build has no files for this runner"
        case .noRoom(let bytes):
            "the server's disk has no room for the remaining \(bytes.grouped) bytes of the archive"
        case .noRepository(let mirror): "the repository of the mirror \(mirror) cannot be read"
        }
    }

    package var id: String {
        switch self {
        case .unknown: "runner.unknown"
        case .nameTaken: "runner.name-taken"
        case .badName: "runner.bad-name"
        case .badLabel: "runner.bad-label"
        case .tooMany, .tooManyLabels, .tooManyMirrors: "runner.too-many"
        case .noMirror: "runner.no-mirror"
        case .wrongCode: "runner.wrong-code"
        case .codeExpired: "runner.code-expired"
        case .unknownToken: "runner.unknown-token"
        case .leaseEnded: "runner.lease-ended"
        case .wrongOffset: "runner.wrong-offset"
        case .tooLarge: "runner.too-large"
        case .pieceTooLarge: "runner.piece-too-large"
        case .incomplete: "runner.incomplete"
        case .wrongDigest: "runner.wrong-digest"
        case .badReport: "runner.bad-report"
        case .noFiles: "runner.no-files"
        case .noRoom: "runner.no-room"
        case .noRepository: "runner.no-repository"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown, .noFiles: .notFound
        case .badName, .badLabel, .tooManyLabels, .tooManyMirrors, .noMirror, .badReport: .invalid
        case .nameTaken, .tooMany, .wrongOffset, .incomplete, .wrongDigest: .conflict
        case .wrongCode, .unknownToken: .unauthorised
        case .codeExpired, .leaseEnded: .gone
        case .tooLarge, .pieceTooLarge: .tooLarge
        case .noRoom: .outOfRoom
        case .noRepository: .unavailable
        }
    }

    package var fix: String {
        switch self {
        case .unknown: "see `ota runners list`"
        case .nameTaken(let name):
            "choose another name; to connect that runner again, print a new line with "
                + "`ota runners code \(name)`"
        case .badName: "choose another name, such as mac-mini"
        case .badLabel: "choose another label, such as mac or xcode-26"
        case .tooMany: "remove a runner that you no longer need: `ota runners remove`"
        case .tooManyLabels: "leave out some labels"
        case .tooManyMirrors: "leave out some mirrors"
        case .noMirror: "name the mirrors: `--mirror NAME`"
        case .wrongCode, .codeExpired, .unknownToken:
            "print a new line with `ota runners code`, and paste it on that machine"
        case .leaseEnded: "drop the work, and poll for the next"
        case .wrongOffset: "continue with the byte at that offset"
        case .tooLarge:
            "let fewer files match `artifacts`, or raise the mirror's limits"
        case .pieceTooLarge: "send smaller pieces, one after the other"
        case .incomplete: "send the missing bytes, or start again at offset 0"
        case .wrongDigest: "send the archive again from offset 0"
        case .badReport: "send an allowed value; an outdated agent updates itself after its build"
        case .noFiles: "continue without files"
        case .noRoom: "free some space on the server's disk"
        case .noRepository: "sync the mirror with `ota mirror sync`"
        }
    }

    package var pageFix: String? {
        switch self {
        case .unknown: "see the list of runners"
        case .nameTaken(let name):
            "choose another name; to connect \(name) again, open its page and press “New line to "
                + "paste”"
        case .tooMany: "remove a runner that you no longer need"
        case .noMirror: "tick at least one mirror"
        default: nil
        }
    }
}
