import Bytes
import Identifiers

/// The lowest version of an app that testers may still use: `1.2.0`, or `1.2.0-34` with a build.
package struct MinimumVersion: TextCoded, Sendable, Equatable {
    /// The maximum length of the text in bytes.
    package static let lengthLimit = 64

    package let version: String
    /// Nil if any build of the version is allowed.
    package let build: String?

    package static let kindOfText =
        "a version such as 1.2.0, or one with its build such as 1.2.0-34"

    package init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.lengthLimit, let version = parts.first,
            parts.allSatisfy(Self.isNumber)
        else { return nil }
        self.version = String(version)
        build = parts.count == 2 ? String(parts[1]) : nil
    }

    package var description: String { build.map { "\(version)-\($0)" } ?? version }

    /// Whether a build is lower than this minimum.
    ///
    /// Versions are compared first; builds of the same version only if the minimum has a build.
    package func isAbove(version: String, build: String) -> Bool {
        let (least, other) = (VersionNumber(self.version), VersionNumber(version))
        guard least == other else { return other < least }
        return self.build.map { VersionNumber(build) < VersionNumber($0) } ?? false
    }

    /// Whether the text consists of digits separated by dots.
    private static func isNumber(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }
}

/// A lowest version, or the word `none`.
package struct MinimumVersionChoice: TextCoded, Sendable, Equatable {
    /// Nil for none.
    package let minimum: MinimumVersion?

    /// - Parameter minimum: nil for none.
    package init(_ minimum: MinimumVersion?) {
        self.minimum = minimum
    }

    package init?(_ text: String) {
        guard text != Self.none else {
            minimum = nil
            return
        }
        guard let minimum = MinimumVersion(text) else { return nil }
        self.minimum = minimum
    }

    private static let none = "none"

    package static let kindOfText = "\(MinimumVersion.kindOfText), or none"

    package var description: String { minimum?.description ?? Self.none }
}

extension Release {
    /// Whether it is newer than an installed build, by version, then by build.
    package func isNewer(thanVersion version: String, build: String) -> Bool {
        let (own, other) = (VersionNumber(self.version), VersionNumber(version))
        guard own == other else { return other < own }
        return VersionNumber(build) < VersionNumber(self.build)
    }
}
