import APIDocuments
package import Problems
package import Uploads

/// Why a request of an upload failed.
package enum UploadFailure: ReportableError, Equatable {
    /// The connection could not be made, was not trusted, or ended.
    case server(ServerFailure)
    /// The server cannot handle the request at the moment.
    case unable(UploadAnswer, retryAfter: Double? = nil)
    /// Client and server disagree about how many bytes have arrived; asking the server fixes that.
    case outOfStep
    /// The server no longer has the upload.
    case lost
    /// The response is not from an `ota` server, but from a proxy or another program.
    case notOurs(status: Int)
    case notUnderstood(String)
    /// The server would publish a build that was only to be checked.
    case noChecks

    /// Whether another attempt may succeed.
    var isPassing: Bool {
        switch self {
        case .server(.unreachable), .server(.tooSlow), .server(.cut): true
        case .server(.proxy(let failure)): failure.isPassing
        case .unable, .outOfStep, .lost: true
        case .server, .notUnderstood, .noChecks: false
        case .notOurs(let status): status >= 500
        }
    }

    var retryAfter: Double? {
        if case .unable(_, let seconds) = self { return seconds }
        return nil
    }
}

extension UploadFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .server(let failure): failure.description
        case .unable(let answer, _): "the server answered with status \(answer.status)"
        case .outOfStep: "the server has a different number of bytes"
        case .lost: "the server no longer knows the upload"
        case .notOurs(let status): "something other than ota answered, with status \(status)"
        case .noChecks: "the server is older than this command and cannot check without publishing"
        case .notUnderstood(let what): "the server's answer is not valid: \(what)"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .server(let failure): failure.kind
        case .unable, .outOfStep, .lost, .notOurs, .notUnderstood, .noChecks: .unavailable
        }
    }

    package var place: String {
        if case .server(let failure) = self { failure.place } else { "" }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .server(let failure): failure.id
        case .unable: "server.unable"
        case .noChecks: "server.no-checks"
        case .outOfStep, .lost: "upload.lost"
        case .notOurs, .notUnderstood: "server.not-understood"
        }
    }

    package var fix: String {
        switch self {
        case .server(let failure) where isPassing:
            failure.fix
                + "; if a part was sent, the server keeps it for a day, and the same command "
                + "continues from there"
        case .server(let failure): failure.fix
        case .unable, .outOfStep, .lost:
            "try again: the same command continues from what was sent"
        case .noChecks: "update the server, or leave out --server to check on this machine"
        case .notOurs, .notUnderstood: "check that --server is the address of an ota server"
        }
    }
}
