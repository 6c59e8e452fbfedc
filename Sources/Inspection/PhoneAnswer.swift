/// What a phone shows after a tester taps Install on a build that it refuses.
///
/// iOS has few messages for many causes; which one it shows varies with its version.
package enum PhoneAnswer: String, Codable, Sendable, CaseIterable {
    /// The installer rejects the signature or the profile.
    case integrity
    /// The installer rejects the package itself.
    case notNow = "not-now"
    /// No message: the icon turns grey and vanishes.
    case nothing
    /// It installs but does not open.
    case atLaunch = "at-launch"

    /// The message, or a description of what happens without one.
    package var sentence: String {
        switch self {
        case .integrity:
            "“This app cannot be installed because its integrity could not be verified.”"
        case .notNow: "“Unable to install – this app could not be installed at this time.”"
        case .nothing: "nothing: the icon turns grey and vanishes"
        case .atLaunch: "nothing at first: the app installs but does not open"
        }
    }

    /// The usual answer to Apple's code: codes of the signature begin with `0xe8008`, all others are the
    /// installer's.
    init?(appleCode: String?) {
        guard let appleCode else { return nil }
        self = appleCode.hasPrefix("0xe8008") ? .integrity : .notNow
    }
}
