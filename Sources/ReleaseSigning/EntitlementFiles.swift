import Bundles
package import Bytes
import Identifiers
import Inspection

/// Property lists that say what the bundles of an unsigned build claim, in the order in which they count.
package struct EntitlementFiles: Sendable {
    /// Of the app itself.
    package var application: [UInt8]?
    /// By bundle identifier.
    package var byIdentifier: [String: [UInt8]] = [:]
    /// As Xcode leaves them beside what it builds: by the name of the bundle's folder, `App.app`.
    package var byFolder: [RelativePath: [UInt8]] = [:]

    /// Bytes of one file.
    package static let sizeLimit = 1 << 20

    package init() {}

    /// What each bundle of a build claims, by bundle identifier; a bundle without a file is not in it.
    func claims(of report: InspectionReport) -> [String: [UInt8]] {
        var claims: [String: [UInt8]] = [:]
        for bundle in report.nested where bundle.kind.hasOwnProfile {
            guard let identifier = bundle.bundleIdentifier else { continue }
            claims[identifier] = byFolder[RelativePath(bundle.path).name]
        }
        if let identifier = report.identity.bundleIdentifier?.rawValue {
            claims[identifier] = byFolder[RelativePath(report.identity.path).name]
            claims.merge(byIdentifier) { _, new in new }
            if let application { claims[identifier] = application }
        }
        return claims
    }
}
