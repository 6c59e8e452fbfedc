import Bundles
package import Bytes
import Identifiers
import Inspection

/// Property lists with the entitlements of an unsigned build, in order of precedence.
package struct EntitlementFiles: Sendable {
    /// The app's own.
    package var application: [UInt8]?
    /// By bundle identifier.
    package var byIdentifier: [String: [UInt8]] = [:]
    /// Xcode's files beside a built app, by the name of the bundle's folder, such as `App.app`.
    package var byFolder: [RelativePath: [UInt8]] = [:]

    /// The maximum size of a file in bytes.
    package static let sizeLimit = 1 << 20

    package init() {}

    /// The entitlements by bundle identifier; bundles without a file are left out.
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
