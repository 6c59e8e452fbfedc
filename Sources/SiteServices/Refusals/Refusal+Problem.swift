import Bytes
import Enrolment
import HTTPServing
package import HTTPTypes
package import Pages
package import Problems
import Releases

extension Refusal {
    package var id: String {
        switch self {
        case .notFound: "request.not-found"
        case .methodNotAllowed: "request.method-not-allowed"
        case .expiredInstall: "install.expired"
        case .withdrawn: "install.withdrawn"
        case .replaced: "install.replaced"
        case .notForDevice: "install.not-for-device"
        case .notSignedIn: "token.none"
        case .notAllowed: "token.not-allowed"
        case .forgedForm: "form.expired"
        case .tooManyGuesses: "token.too-many-guesses"
        case .malformed: "request.malformed"
        case .tooLarge: "request.too-large"
        case .badEnrolment(let refusal): refusal.id
        case .cut: "request.cut"
        case .overloaded: "server.overloaded"
        case .noRoom: "server.no-room"
        case .unavailable: "server.unavailable"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .notFound: .notFound
        case .methodNotAllowed: .unsupported
        case .expiredInstall, .withdrawn, .replaced: .gone
        case .notForDevice, .notAllowed, .forgedForm: .refused
        case .notSignedIn: .unauthorised
        case .tooManyGuesses: .tooMany
        case .malformed, .cut: .malformed
        case .tooLarge: .tooLarge
        case .badEnrolment(let refusal): refusal.kind
        case .overloaded: .busy
        case .noRoom: .outOfRoom
        case .unavailable: .unavailable
        }
    }

    /// The status of its kind, except where HTTP, or a proxy's convention, has a status of its own.
    package var status: HTTPResponse.Status {
        switch self {
        case .methodNotAllowed: .methodNotAllowed
        // The client is gone.
        case .cut: .init(code: 499, reasonPhrase: "Client Closed Request")
        default: kind.status
        }
    }

    package var description: String {
        switch self {
        case .notFound: "there is nothing at this address"
        case .methodNotAllowed: "this address does not support this method"
        case .expiredInstall: "the link to install the app has expired"
        case .withdrawn(let reason):
            "your team withdrew it" + (reason.isEmpty ? "" : ": \(reason)")
        case .replaced: "your team has replaced the file of this version"
        case .notForDevice: "your team has to approve this device first"
        case .notSignedIn: "no valid token was sent"
        case .notAllowed: "the token does not allow this"
        case .forgedForm: "the form has expired, or was sent from another site"
        case .tooManyGuesses: "too many wrong tokens were sent from this address"
        case .malformed(let what): what
        case .tooLarge(let limit):
            "the body is larger than the \(limit.grouped) bytes that this address accepts"
        case .badEnrolment(let refusal): refusal.description
        case .cut: "the connection ended before the whole request arrived"
        case .overloaded: "the server is receiving too much data at the moment"
        case .noRoom: "the server's disk is full, so nothing was changed"
        case .unavailable: "the server cannot answer at the moment"
        }
    }

    package var fix: String {
        switch self {
        case .notSignedIn:
            "send Authorization: Bearer ota_…; create a token with `ota tokens create`"
        case .tooManyGuesses(let wait): "wait \(wait) seconds"
        case .notAllowed:
            "use a token with a wider scope; an admin creates one with `ota tokens create`"
        case .badEnrolment(let refusal): refusal.fix
        case .cut: "send it again"
        case .overloaded: "try again in a few seconds"
        case .noRoom(let fix): fix
        case .unavailable: "try again in a minute; the server's log says why"
        case .tooLarge: "send less; /public/openapi.yaml gives the limit of each value"
        default: "see /public/openapi.yaml"
        }
    }

    package var pageFix: String? {
        switch self {
        case .notFound: "check the link that you were given"
        case .expiredInstall: "open the app's page again and tap Install there"
        case .replaced: "open the app's page again"
        case .notForDevice: "the app's page says more"
        case .notSignedIn: "sign in first, or send a valid token"
        case .notAllowed: "sign in with another token"
        case .forgedForm: "go back, reload the page and submit the form again"
        case .tooManyGuesses(let wait): "wait \(Wording.count(wait, "second")) and try again"
        case .badEnrolment(let refusal): refusal.fix
        case .cut: "send it again"
        case .overloaded: "try again in a few seconds"
        case .noRoom(let fix): "an admin can fix it: \(fix)"
        case .unavailable: "try again in a minute"
        case .methodNotAllowed, .withdrawn, .malformed, .tooLarge: nil
        }
    }

    package var problem: Problem {
        Problem(
            id: id,
            kind: kind,
            message: description,
            fix: fix,
            pageFix: pageFix,
        )
    }

    /// Returns the title and text of a tester's page about it; in English for those that only programs
    /// and admins get.
    package func page(in words: Words) -> (title: String, message: String) {
        let key = "refusal.\(id)"
        guard words.has(key) else { return (title, message) }
        let message =
            switch self {
            case .withdrawn(let reason) where !reason.isEmpty:
                words.text(
                    key + ".reason",
                    ["reason": endsSentence(reason) ? String(reason.dropLast()) : reason],
                )
            case .tooManyGuesses(let wait): words.text(key, count: wait)
            default: words.text(key)
            }
        return (words.text(key + ".title"), message)
    }

    /// The message and the fix, as a page shows them.
    package var message: String { PageProblem(problem).text }

    private func endsSentence(_ text: String) -> Bool {
        text.unicodeScalars.last == "." || text.unicodeScalars.last == "。"
    }
}
