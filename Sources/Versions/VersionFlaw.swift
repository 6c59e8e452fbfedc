import Bytes
package import Problems

/// Why a text is not a version.
package enum VersionFlaw: ReportableError, Hashable, Sendable {
    case tooLong
    /// The version is not one to three numbers separated by dots.
    case numbers(String)
    case largeNumber(String)
    /// With leading zeroes, two texts would be the same version, and iOS and semantic versioning differ
    /// on them.
    case leadingZero(String)
    /// An identifier after the hyphen or the plus sign is empty, or has characters other than ASCII
    /// letters, digits and hyphens.
    case identifier(String)
    /// It does not begin with the requested prefix.
    case otherPrefix(String)
}

extension VersionFlaw {
    package var id: String { "version.not-a-version" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "write it as 1.2.3 or 1.2.3-beta.4" }
}

extension VersionFlaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong: "a version has at most 128 characters"
        case .numbers(let text): "\(quoted: text) is not one to three numbers such as 1.2.3"
        case .largeNumber(let text): "the number \(text) has more than nine digits"
        case .leadingZero(let text): "the number \(quoted: text) begins with a zero"
        case .identifier(let text):
            "\(quoted: text) is empty or has characters other than letters, digits and hyphens"
        case .otherPrefix(let prefix): "it does not begin with \(quoted: prefix)"
        }
    }
}
