import Bytes
package import Cryptography
import Essentials
import Identifiers
import Problems
import Releases

/// Why a request to Apple failed.
///
/// No case contains a token, a key, a URL with a query or a device identifier: identifiers in Apple's
/// messages are masked.
package enum AppleFailure: ReportableError, Equatable {
    /// The token was rejected twice, although it was valid by Apple's clock.
    case keyRefused
    /// The token was rejected because this machine's clock is ahead of Apple's by so many seconds;
    /// negative if it is behind.
    case clockDiffers(seconds: Int)
    /// The key's role does not allow the request.
    case roleMissing
    /// The Account Holder has not accepted Apple's newest agreement, or the membership has ended.
    case agreementMissing
    /// Apple responded to every attempt with 429; with the seconds to wait before another one.
    case rateLimited(seconds: Int)
    /// Every attempt failed with a server error.
    case unavailable(status: Int)
    case unreachable(reason: String)
    case tooSlow(seconds: Int)
    /// The server's certificate was not issued by a trusted authority.
    case untrusted(reason: String)
    case answerTooLarge(limit: Int)
    /// The response is not one of the App Store Connect API.
    case unreadable(reason: String)
    /// A list continues at a URL to which the token must not be sent.
    case foreignLink
    case tooManyPages(limit: Int)
    case notFound(what: String)
    /// The name already exists; Apple requires unique names.
    case nameTaken(String)
    case tooManyCertificates
    /// All slots of the device's family are used.
    case noSlotLeft
    case badDevice
    /// None of the requested devices is enabled.
    case noDevices
    /// A device is of a class that the profile does not allow, such as an Apple TV for iOS.
    case wrongDeviceClass
    /// The bundle identifier belongs to an App ID of another team.
    case identifierTaken(String)
    /// The resource would have been deleted, but this installation did not create it.
    case notOurs(what: String, name: String)
    /// Any other error response.
    case refused(status: Int, code: String, said: String)
    /// The caller cancelled the request.
    case interrupted
    case key(MalformedKey)

    package var description: String {
        switch self {
        case .keyRefused:
            "App Store Connect rejected the API key: the key was revoked, or the key ID, the issuer ID "
                + "and the private key do not belong together"
        case .clockDiffers(let seconds):
            "App Store Connect rejected the token because the clock of this machine is "
                + "\(Wording.count(abs(seconds), "second")) "
                + (seconds > 0 ? "ahead of Apple's" : "behind Apple's")
        case .roleMissing: "the API key does not have the role that the request needs"
        case .agreementMissing:
            "the Account Holder of the Apple Developer Program team must accept an agreement, or renew "
                + "the membership"
        case .rateLimited(let seconds):
            "App Store Connect accepts no more requests from this team for "
                + Wording.count(seconds, "second")
        case .unavailable(let status): "App Store Connect failed with HTTP status \(status)"
        case .unreachable(let reason): "App Store Connect cannot be reached: \(reason)"
        case .tooSlow(let seconds):
            "App Store Connect did not answer within \(Wording.count(seconds, "second"))"
        case .untrusted(let reason):
            "the connection to App Store Connect is not trusted: \(reason)"
        case .answerTooLarge(let limit):
            "App Store Connect sent an answer larger than \(Wording.size(limit))"
        case .unreadable(let reason):
            "App Store Connect sent an answer that cannot be read: \(reason)"
        case .foreignLink: "App Store Connect sent a list whose next page is on another server"
        case .tooManyPages(let limit): "App Store Connect sent a list of more than \(limit) pages"
        case .notFound(let what): "the developer account no longer has the \(what)"
        case .nameTaken(let name):
            "the name \(quoted: DeviceUDID.masked(in: name)) is already in use in the developer account"
        case .tooManyCertificates:
            "the developer account already has as many distribution certificates as Apple allows"
        case .noSlotLeft:
            "the developer account has no slot left for this type of device"
        case .badDevice: "Apple rejected the identifier or the name of the device"
        case .noDevices: "none of the devices is enabled in the developer account"
        case .wrongDeviceClass: "the profile does not support the type of one of the devices"
        case .identifierTaken(let identifier):
            "the bundle identifier \(quoted: identifier) is not available to this team"
        case .notOurs(let what, let name):
            "the \(what) \(quoted: DeviceUDID.masked(in: name)) was not created by this server, so it is not deleted"
        case .refused(let status, let code, let said):
            "App Store Connect refused the request with HTTP status \(status)"
                + (code.isEmpty ? "" : " (\(code))") + (said.isEmpty ? "" : ": \(said)")
        case .interrupted: "the request to App Store Connect was cancelled"
        case .key(let malformed): "the API key cannot sign: \(malformed)"
        }
    }
}
