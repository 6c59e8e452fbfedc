import HTTPTypes

/// Why a route does not give what was asked for.
enum Refusal: Error, Equatable {
    /// Nothing there, or nothing that this client may know of.
    case notFound
    case methodNotAllowed([HTTPRequest.Method])
    /// The install path has lived its time.
    case expiredInstall
    /// The release was taken back, or replaced by other bytes.
    case withdrawn(reason: String)
    case replaced
    /// The app is not open to whoever has the link, and this version knows no other way in.
    case notOpen
    /// The server cannot do its work at the moment.
    case unavailable(String)

    var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .expiredInstall, .withdrawn, .replaced: .gone
        case .notOpen: .forbidden
        case .unavailable: .serviceUnavailable
        }
    }

    var title: String {
        switch self {
        case .notFound: "Not found"
        case .methodNotAllowed: "Not allowed"
        case .expiredInstall: "This link has expired"
        case .withdrawn, .replaced: "This build is gone"
        case .notOpen: "Not open"
        case .unavailable: "Not available"
        }
    }

    var message: String {
        switch self {
        case .notFound: "There is nothing at this address. Check the link that you were given."
        case .methodNotAllowed: "This address is for looking only."
        case .expiredInstall: "Open the app's page again and tap Install there."
        case .withdrawn(let reason):
            reason.isEmpty
                ? "It was taken back by the team that published it."
                : "It was taken back by the team that published it: \(reason)"
        case .replaced: "The team has published other bytes under the same version."
        case .notOpen: "This app is not open to everybody who has the link."
        case .unavailable: "The server cannot answer at the moment. Try again in a minute."
        }
    }
}
