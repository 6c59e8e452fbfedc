/// What a phone shows to a tester who taps Install on a build that it refuses.
///
/// iOS has few words for many causes; which it chooses varies with its version.
package enum PhoneAnswer: String, Codable, Sendable, CaseIterable {
    /// The installer does not believe the signature or the profile.
    case integrity
    /// The package itself is refused.
    case notNow = "not-now"
    /// The icon turns grey and vanishes.
    case nothing
    /// It installs and does not open.
    case atLaunch = "at-launch"

    /// The sentence, or what happens instead of one.
    package var sentence: String {
        switch self {
        case .integrity:
            "“This app cannot be installed because its integrity could not be verified.”"
        case .notNow: "“Unable to install – this app could not be installed at this time.”"
        case .nothing: "nothing: the icon turns grey and vanishes"
        case .atLaunch: "nothing at first: the app installs but does not open"
        }
    }

    /// The usual answer to a code: those of the signature begin with `0xe8008`, all others are the
    /// installer's.
    init?(appleCode: String?) {
        guard let appleCode else { return nil }
        self = appleCode.hasPrefix("0xe8008") ? .integrity : .notNow
    }
}
