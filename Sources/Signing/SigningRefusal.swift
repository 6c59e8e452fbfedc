package import Bundles
package import Bytes
package import Problems

/// Why an archive or a file cannot be signed.
package enum SigningRefusal: ReportableError, Equatable {
    /// A bundle without a matching profile.
    package struct ProfilelessBundle: Equatable, Sendable {
        package let path: RelativePath
        /// The bundle identifier that a profile must cover.
        package let identifier: String

        package init(path: RelativePath, identifier: String) {
            self.path = path
            self.identifier = identifier
        }
    }

    /// A Mach-O file cannot be signed.
    case program(ProgramFault, at: RelativePath)
    /// A file could not be read.
    case unreadable(RelativePath, reason: String)
    /// A bundle cannot be signed with the given profiles and entitlements.
    case bundle(BundleFault, at: RelativePath)
    /// Several bundles have no profile; for a single one see
    /// ``BundleFault/profileMissing(identifier:kind:offered:)``.
    case profilesMissing([ProfilelessBundle])
    /// The archive, or the app in it, cannot be read.
    case archive(BundleRefusal)

    package var description: String {
        switch self {
        case .program(let fault, let path): "\(quoted: path) \(fault)"
        case .unreadable(let path, let reason): "\(quoted: path) cannot be read: \(reason)"
        case .bundle(let fault, let path): "\(quoted: path) \(fault)"
        case .profilesMissing(let bundles):
            "\(bundles.count) bundles need profiles that were not given: "
                + Self.list(bundles.map(\.identifier))
        case .archive(let refusal): refusal.description
        }
    }

    /// The maximum number of bundles listed in the message; no app has more extensions.
    private static let listed = 40

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(listed).map { PrintableText(escaping: $0, limit: 160).text }
        let more = names.count - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    package var id: String {
        switch self {
        case .program(let fault, _): fault.id
        case .unreadable: "signing.unreadable"
        case .bundle(let fault, _): fault.id
        case .profilesMissing: "signing.profile-missing"
        case .archive(let refusal): refusal.id
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .program(let fault, _): fault.kind
        case .unreadable: .unavailable
        case .bundle(let fault, _): fault.kind
        case .profilesMissing: .invalid
        case .archive(let refusal): refusal.kind
        }
    }

    package var place: String {
        switch self {
        case .program(_, let path), .unreadable(let path, _), .bundle(_, let path):
            PrintableText(escaping: path).text
        case .profilesMissing(let bundles): Self.list(bundles.map(\.path.text))
        case .archive(let refusal): refusal.place
        }
    }

    package var fix: String {
        switch self {
        case .program(let fault, _): fault.fix
        case .unreadable: "check that the build is complete, and sign it again"
        case .bundle(let fault, _): fault.fix
        case .profilesMissing:
            "create a profile for each of them on Apple's developer site, or one for a pattern that "
                + "they have in common, and give all with --profile"
        case .archive(let refusal): refusal.fix
        }
    }
}
