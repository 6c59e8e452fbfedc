package import Enrolment
package import HTTPTypes
import Releases

/// Why a route does not give what was asked for.
package enum Refusal: Error, Equatable {
    /// Nothing there, or nothing that this client may know of.
    case notFound
    case methodNotAllowed([HTTPRequest.Method])
    /// The install path has lived its time.
    case expiredInstall
    /// The release was taken back, or replaced by other bytes.
    case withdrawn(reason: String)
    case replaced
    /// The path was made for a device that may not use it any more, or for none where one is needed.
    case notForDevice
    /// Nobody has proven who they are.
    case notSignedIn
    /// Somebody is known, and may not.
    case notAllowed
    /// Not sent from a page of ours.
    case forgedForm
    /// Wrong once too often; seconds to wait.
    case tooManyGuesses(wait: Int)
    /// What was sent does not make sense.
    case malformed(String)
    /// More bytes than the address takes.
    case tooLarge(limit: Int)
    /// A device's answer that nobody in good faith sends.
    case badEnrolment(EnrolmentRefusal)
    /// The client left, or broke off, before its request was whole.
    case cut
    /// Others send so much at the moment that there is no memory for more.
    case overloaded
    /// The disk, or the server's share of it, is full; what to do about it.
    case noRoom(String)
    /// The server cannot do its work at the moment.
    case unavailable(String)

    package var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .expiredInstall, .withdrawn, .replaced: .gone
        case .notForDevice: .forbidden
        case .notSignedIn: .unauthorized
        case .notAllowed, .forgedForm: .forbidden
        case .tooManyGuesses: .tooManyRequests
        case .malformed: .badRequest
        case .tooLarge: .contentTooLarge
        case .badEnrolment(let refusal): refusal.status
        // The status that proxies use for it; the client is gone.
        case .cut: .init(code: 499, reasonPhrase: "Client Closed Request")
        case .noRoom: .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .overloaded, .unavailable: .serviceUnavailable
        }
    }

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

    package var message: String {
        switch self {
        case .notFound: "There is nothing at this address. Check the link that you were given."
        case .methodNotAllowed: "This address does not support this kind of request."
        case .expiredInstall: "Open the app's page again and tap Install there."
        case .withdrawn(let reason):
            reason.isEmpty
                ? "Your team withdrew it."
                : "Your team withdrew it: \(reason)"
        case .replaced:
            "Your team has replaced the file of this version. Open the app's page again."
        case .notForDevice:
            "Your team has to approve this device first. The app's page says more."
        case .notSignedIn: "Sign in first, or send a valid token."
        case .notAllowed: "The token that you signed in with does not allow this."
        case .forgedForm: "Go back, reload the page and submit the form again."
        case .tooManyGuesses(let wait): "Wait \(Wording.count(wait, "second")) and try again."
        case .malformed(let what):
            Wording.sentence(what)
        case .badEnrolment(let refusal):
            Wording.sentence(refusal) + " " + refusal.fix
        case .tooLarge(let limit):
            "The request is larger than the \(limit) bytes that this address accepts."
        case .cut: "The connection ended before the whole request arrived. Send it again."
        case .overloaded:
            "The server is receiving too much data at the moment. Try again in a few seconds."
        case .noRoom(let fix):
            "The server's disk is full, so nothing was changed. An admin can fix it: \(fix)."
        case .unavailable: "The server cannot answer at the moment. Try again in a minute."
        }
    }
}

extension EnrolmentRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .malformed, .unreadable, .notFlat, .missing: .badRequest
        case .invalid: .unprocessableContent
        case .forged, .wrongChallenge, .expiredChallenge: .forbidden
        }
    }
}
