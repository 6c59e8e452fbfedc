import Bytes
import Cryptography
package import Essentials
package import Identifiers
import Releases

/// The name of a profile that this installation creates, by which it recognises its own profiles.
///
/// `ota 3f2a91c4d0e7 20261123 1c9a04 com.example.app`: the installation's mark, the day, a number that no
/// other profile has, and as much of the bundle identifier as fits. Apple refuses duplicate names, and
/// names with characters such as `&`.
package struct ProfileName: Hashable, Sendable {
    /// The identifier of an installation: twelve hexadecimal digits, generated once and stored.
    package struct Mark: Hashable, Sendable {
        package let text: String

        /// - Returns: nil for anything but twelve lower-case hexadecimal digits.
        package init?(_ text: String) {
            guard text.utf8.count == 12, let bytes = Hex.decode(text),
                Hex.encode(bytes).isBytes(of: text)
            else { return nil }
            self.text = text
        }

        fileprivate var prefix: String { "ota \(text) " }
    }

    /// Apple's maximum length in characters.
    static let limit = 50

    package let text: String

    /// - Parameters:
    ///   - identifier: the bundle identifier.
    ///   - mark: the mark of this installation.
    ///   - date: the present; the name includes its day in UTC.
    ///   - number: a random number that makes the name unique.
    package init(
        for identifier: BundleIdentifier,
        by mark: Mark,
        at date: Date,
        number: UInt32,
    ) {
        let civil = CivilDay(
            daysSince1970: Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
        )
        let day = civil.year * 10_000 + civil.month * 100 + civil.day
        let digits = String(number & 0xff_ffff, radix: 16)
        let unique = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        let front = "\(mark.prefix)\(day) \(unique) "
        text = front + identifier.rawValue.prefix(Self.limit - front.utf8.count)
    }

    /// Parses a name that was chosen before, such as one in a job's record.
    ///
    /// - Returns: nil for a name that is not one of this installation's.
    package init?(_ text: String, by mark: Mark) {
        guard text.hasBytes(first: mark.prefix), text.utf8.count <= Self.limit else { return nil }
        self.text = text
    }

    /// Whether a profile's name is one of the installation's.
    package static func isName(_ text: String, by mark: Mark) -> Bool {
        Self(text, by: mark) != nil
    }
}

extension ProfileName: CustomStringConvertible {
    package var description: String { text }
}
