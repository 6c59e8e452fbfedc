import Bundles
import Identifiers
import Inspection

/// One bundle for `ota inspect`: the app, or one nested in it.
struct InspectedBundle {
    let path: String
    let kind: BundleKind
    let identifier: String?
    let version: String?
    let build: String?
    let profile: ProfileSummary?
    let signature: SignatureSummary?

    /// The app first, then the nested bundles.
    static func all(in report: InspectionReport) -> [InspectedBundle] {
        let identity = report.identity
        let app = InspectedBundle(
            path: identity.path,
            kind: .application,
            identifier: identity.bundleIdentifier?.rawValue,
            version: identity.version,
            build: identity.build,
            profile: report.profile,
            signature: report.signature,
        )
        return [app] + report.nested.map(InspectedBundle.init)
    }

    /// Such as `3.1.0 (412)`.
    var versionText: String { "\(version ?? "–") (\(build ?? "–"))" }
}

extension InspectedBundle {
    private init(_ bundle: NestedBundle) {
        path = bundle.path
        kind = bundle.kind
        identifier = bundle.bundleIdentifier
        version = bundle.version
        build = bundle.build
        profile = bundle.profile
        signature = bundle.signature
    }
}
