package import Enrolment
package import HTTPTypes
import Problems

/// Why a route refuses a request.
package enum Refusal: ReportableError, Equatable {
    /// Nothing there, or nothing that this client may know of.
    case notFound
    case methodNotAllowed([HTTPRequest.Method])
    /// The install link has expired.
    case expiredInstall
    /// The release was withdrawn, or its file replaced.
    case withdrawn(reason: String)
    case replaced
    /// The path was made for a device that may not use it any more, or for none where one is needed.
    case notForDevice
    /// The request has no valid token or session.
    case notSignedIn
    /// The token or session does not allow it.
    case notAllowed
    /// Not sent from a page of ours.
    case forgedForm
    /// Too many wrong guesses; the seconds to wait.
    case tooManyGuesses(wait: Int)
    /// What was sent does not make sense.
    case malformed(String)
    /// More bytes than the address takes.
    case tooLarge(limit: Int)
    /// A device's answer that only a forger sends.
    case badEnrolment(EnrolmentRefusal)
    /// The client left, or broke off, before its request was whole.
    case cut
    /// Others send so much at the moment that there is no memory for more.
    case overloaded
    /// The disk, or the server's share of it, is full; what to do about it.
    case noRoom(String)
    /// The server cannot do its work at the moment.
    case unavailable(String)

    /// The title of its page.
    package var title: String {
        switch self {
        case .notFound: "Not found"
        case .methodNotAllowed: "Not allowed"
        case .expiredInstall: "This link has expired"
        case .withdrawn, .replaced: "This build is no longer available"
        case .notForDevice: "Not for this device"
        case .notSignedIn: "Not signed in"
        case .notAllowed: "Not allowed"
        case .forgedForm: "The form has expired"
        case .tooManyGuesses: "Too many attempts"
        case .malformed: "Invalid request"
        case .tooLarge: "Too large"
        case .badEnrolment: "The device could not be verified"
        case .cut: "The request was cut short"
        case .overloaded: "Too busy"
        case .noRoom: "The disk is full"
        case .unavailable: "Not available"
        }
    }
}
