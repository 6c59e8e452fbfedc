package import Enrolment
package import HTTPTypes
import Problems

/// The reason why a route refuses a request.
package enum Refusal: ReportableError, Equatable {
    /// There is nothing at the path, or nothing that this client may know of.
    case notFound
    case methodNotAllowed([HTTPRequest.Method])
    /// The install link has expired.
    case expiredInstall
    /// The release was withdrawn, for a reason that may be empty.
    case withdrawn(reason: String)
    /// The release has another IPA than the one that the link was made for.
    case replaced
    /// The install path is for a device that may no longer use it, or lacks the device that it needs.
    case notForDevice
    /// The request has no valid token or session.
    case notSignedIn
    /// The token or session does not allow it.
    case notAllowed
    /// The form was not sent from a page of ours.
    case forgedForm
    /// Too many wrong guesses; the time to wait is in seconds.
    case tooManyGuesses(wait: Int)
    /// The request's content is invalid.
    case malformed(String)
    /// The body is longer than the route accepts; the limit is in bytes.
    case tooLarge(limit: Int)
    /// A device's enrolment response that only a forger would send.
    case badEnrolment(EnrolmentRefusal)
    /// The client disconnected before its request was complete.
    case cut
    /// The memory for request bodies is used up by other requests at the moment.
    case overloaded
    /// The disk, or the server's share of it, is full; the text says what to do about it.
    case noRoom(String)
    /// The server cannot answer at the moment; the text is for the log.
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
