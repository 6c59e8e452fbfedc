import Bytes
import Cryptography
package import Essentials
package import Identifiers
import Releases

/// The name of a profile that this installation makes, by which it knows its own again.
///
/// `ota 3f2a91c4d0e7 20261123 1c9a04 com.example.app`: the installation, the day, a number that no
/// other profile has, and as much of the bundle identifier as fits. Apple refuses two profiles of one
/// name, and marks such as `&` in one.
package struct ProfileName: Hashable, Sendable {
    /// What an installation is known by: twelve hexadecimal digits, made once and kept.
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

    /// What Apple takes at most, in characters.
    static let limit = 50

    package let text: String

    /// - Parameters:
    ///   - identifier: of the bundle that the profile is for.
    ///   - mark: of this installation.
    ///   - date: now; the name has its day in UTC.
    ///   - number: random, so that no two names are equal.
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

    /// Takes a name that was chosen before, such as one in the record of a job.
    ///
    /// - Returns: nil for a name that this installation does not give.
    package init?(_ text: String, by mark: Mark) {
        guard text.hasBytes(first: mark.prefix), text.utf8.count <= Self.limit else { return nil }
        self.text = text
    }

    /// Whether an installation has given a profile its name.
    package static func isName(_ text: String, by mark: Mark) -> Bool {
        Self(text, by: mark) != nil
    }
}

extension ProfileName: CustomStringConvertible {
    package var description: String { text }
}
