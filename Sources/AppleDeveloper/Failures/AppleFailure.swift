import Bytes
package import Cryptography
import Essentials
import Identifiers
import Problems
import Releases

/// Why something was not done at Apple.
///
/// No case carries a token, a key, an address with a query or a device identifier: Apple's own words
/// are kept with their identifiers masked.
package enum AppleFailure: ReportableError, Equatable {
    /// The token was refused twice, and by Apple's clock it was valid.
    case keyRefused
    /// The token was refused, and this machine's clock is the reason. Seconds by which it is ahead of
    /// Apple's; negative behind.
    case clockDiffers(seconds: Int)
    /// The key exists and may not do this.
    case roleMissing
    /// Nobody has accepted Apple's newest agreement, or the membership has ended.
    case agreementMissing
    /// It had to be tried so often that it is left for later; seconds until it is worth trying.
    case rateLimited(seconds: Int)
    /// Apple's servers failed again and again.
    case unavailable(status: Int)
    case unreachable(reason: String)
    case tooSlow(seconds: Int)
    /// The server's certificate is from no authority that is trusted here.
    case untrusted(reason: String)
    case answerTooLarge(limit: Int)
    /// What came is no answer of the App Store Connect API.
    case unreadable(reason: String)
    /// A list went on at an address that the token must not be sent to.
    case foreignLink
    case tooManyPages(limit: Int)
    case notFound(what: String)
    /// A name that exists; Apple takes each once.
    case nameTaken(String)
    case tooManyCertificates
    /// All slots of the device's family are used.
    case noSlotLeft
    case badDevice
    /// None of the devices asked for is enabled.
    case noDevices
    /// A device is of a kind that the profile does not take, such as an Apple TV for iOS.
    case wrongDeviceClass
    /// The bundle identifier belongs to an App ID of somebody else.
    case identifierTaken(String)
    /// It would have been deleted, and this installation has not made it.
    case notOurs(what: String, name: String)
    /// Anything else that Apple refused.
    case refused(status: Int, code: String, said: String)
    /// It was stopped in the middle by whoever asked for it.
    case interrupted
    case key(MalformedKey)

    package var description: String {
        switch self {
        case .keyRefused:
            "App Store Connect does not accept the API key: it was revoked, or key ID, issuer ID and "
                + "key do not belong together"
        case .clockDiffers(let seconds):
            "App Store Connect refused the token because the clocks differ: this machine's is "
                + "\(Wording.count(abs(seconds), "second")) \(seconds > 0 ? "ahead" : "behind")"
        case .roleMissing: "the API key does not have the role that this needs"
        case .agreementMissing:
            "App Store Connect waits for somebody to accept an agreement of the Apple Developer "
                + "Program, or for the membership to be renewed"
        case .rateLimited(let seconds):
            "App Store Connect takes no more requests of this team for "
                + Wording.count(seconds, "second")
        case .unavailable(let status): "App Store Connect failed with status \(status)"
        case .unreachable(let reason): "App Store Connect cannot be reached: \(reason)"
        case .tooSlow(let seconds):
            "App Store Connect did not answer within \(Wording.count(seconds, "second"))"
        case .untrusted(let reason):
            "the server that should be App Store Connect is not trusted: \(reason)"
        case .answerTooLarge(let limit):
            "App Store Connect sent more than the \(Wording.size(limit)) that an answer may have"
        case .unreadable(let reason): "App Store Connect sent what cannot be read: \(reason)"
        case .foreignLink: "App Store Connect continued a list at another server"
        case .tooManyPages(let limit): "App Store Connect sent a list of more than \(limit) pages"
        case .notFound(let what): "the developer account no longer has the \(what)"
        case .nameTaken(let name):
            "the developer account already has something named \(quoted: name)"
        case .tooManyCertificates:
            "the developer account has as many distribution certificates as Apple allows"
        case .noSlotLeft:
            "the developer account has no slot left for a device of this family"
        case .badDevice: "Apple does not take the device's identifier or name"
        case .noDevices: "none of the devices is enabled in the developer account"
        case .wrongDeviceClass: "one of the devices is of a kind that the profile does not take"
        case .identifierTaken(let identifier):
            "the bundle identifier \(quoted: identifier) is not available to this team"
        case .notOurs(let what, let name):
            "the \(what) \(quoted: name) was not made by this server and stays"
        case .refused(let status, let code, let said):
            "App Store Connect refused it with status \(status)"
                + (code.isEmpty ? "" : " (\(code))") + (said.isEmpty ? "" : ": \(said)")
        case .interrupted: "the request to App Store Connect was stopped"
        case .key(let malformed): "the API key cannot sign: \(malformed)"
        }
    }
}
