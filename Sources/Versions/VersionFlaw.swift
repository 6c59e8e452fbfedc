import Bytes
package import Problems

/// What keeps a text from being a version.
package enum VersionFlaw: ReportableError, Hashable, Sendable {
    case tooLong
    /// Not one to three numbers separated by dots.
    case numbers(String)
    case largeNumber(String)
    /// Two texts would be one version; and iOS and semantic versioning read them differently.
    case leadingZero(String)
    /// A part behind the hyphen or the plus sign is empty or has something else than ASCII letters,
    /// digits and hyphens.
    case identifier(String)
    /// It does not begin with the prefix that was asked for.
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
