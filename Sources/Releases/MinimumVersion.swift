import Bytes
import Identifiers

/// The lowest version of an app that testers may still use: `1.2.0`, or `1.2.0-34` where the build counts
/// too.
package struct MinimumVersion: TextCoded, Sendable, Equatable {
    /// Bytes of the text.
    package static let lengthLimit = 64

    package let version: String
    /// Nil where every build of the version will do.
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

    /// Whether a build is lower than that; versions are compared first, and builds of the same version
    /// only where a build is named.
    package func isAbove(version: String, build: String) -> Bool {
        let (least, other) = (VersionNumber(self.version), VersionNumber(version))
        guard least == other else { return other < least }
        return self.build.map { VersionNumber(build) < VersionNumber($0) } ?? false
    }

    /// Digits with dots between them.
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
    /// Whether it is newer than a build that is installed: by version, then by build.
    package func isNewer(thanVersion version: String, build: String) -> Bool {
        let (own, other) = (VersionNumber(self.version), VersionNumber(version))
        guard own == other else { return other < own }
        return VersionNumber(build) < VersionNumber(self.build)
    }
}
