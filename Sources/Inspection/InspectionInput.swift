import Bundles
import Bytes
import CodeSignature
import Cryptography
import PropertyLists
import Zip

/// The input of the rules: the bundles, their signatures, and each profile with the result of its
/// verification.
struct InspectionInput {
    let application: AppBundle
    let icon: AppIcon
    /// The archive, for rules that look up entries by name.
    let archive: ZipArchive
    /// The trusted certification authorities.
    let anchors: TrustAnchors
    /// The evidence on every signature in the app, with the same nesting as ``application``.
    let signatures: BundleSignatures
    private let profiles: [RelativePath: ProfileReading]
    private let signaturesByPath: [RelativePath: BundleSignatures]
    /// The paths of the extensions to which ``lent(to:)`` applies.
    private var borrowers: Set<RelativePath> = []

    init(
        application: AppBundle,
        icon: AppIcon,
        archive: ZipArchive,
        anchors: TrustAnchors,
        signatures: BundleSignatures,
        profiles: [RelativePath: ProfileReading],
    ) {
        self.application = application
        self.icon = icon
        self.archive = archive
        self.anchors = anchors
        self.signatures = signatures
        self.profiles = profiles
        signaturesByPath = Dictionary(signatures.everyBundle.map { ($0.path, $0) }) { first, _ in
            first
        }
        borrowers = Set(application.nested.filter(isCovered).map(\.path))
    }

    /// The evidence on the signature of a bundle's own executable and files.
    func signatures(of bundle: AppBundle) -> BundleSignatures? { signaturesByPath[bundle.path] }

    /// The entitlements in a bundle's executable: those of the first slice that devices pick and that has
    /// any.
    func claims(of bundle: AppBundle) -> PropertyList? {
        signatures(of: bundle)?.executable?.slices.picked(
            forWatch: true,
            from: bundle.info.minimumOS,
        )
        .lazy.compactMap { $0.signature.evidence?.entitlements?.claimed }.first
    }

    /// The result of reading the bundle's own profile.
    func profile(of bundle: AppBundle) -> ProfileReading {
        profiles[bundle.path] ?? .absent
    }

    /// The app's profile, if `bundle` is an extension without one and that profile covers its code and
    /// signer: devices accept any profile that they have.
    func lent(to bundle: AppBundle) -> ProvisioningProfile? {
        borrowers.contains(bundle.path) ? profile(of: application).profile : nil
    }

    /// The profile that must grant the entitlements of a bundle's code.
    func allowance(of bundle: AppBundle) -> ProvisioningProfile? {
        profile(of: bundle).profile ?? lent(to: bundle)
    }

    private func isCovered(_ bundle: AppBundle) -> Bool {
        guard bundle.kind == .appExtension, case .absent = profile(of: bundle),
            let profile = profile(of: application).profile,
            let granted = profile.applicationIdentifier,
            let code = EntitledCode(of: bundle, in: self)
        else { return false }
        return !code.identifiers.isEmpty && code.identifiers.allSatisfy(granted.covers)
            && code.slices.allSatisfy { slice in
                guard !slice.lacksIdentifier,
                    let signer = slice.signature.evidence?.signer.proof?.certificate
                else { return false }
                return profile.certificates.contains { $0.der == signer.der }
            }
    }

    /// The app and its nested bundles that have a profile of their own.
    var provisioned: [AppBundle] { application.everyBundle.filter(\.kind.hasOwnProfile) }

    /// The frameworks that installd validates: those directly inside a bundle with a profile of its own.
    var validatedFrameworks: [AppBundle] {
        provisioned.flatMap { $0.nested.filter { $0.kind == .framework } }
    }
}

/// The result of reading a bundle's profile.
enum ProfileReading {
    case absent
    case unreadable(ProfileRefusal)
    case read(ProvisioningProfile)

    var profile: ProvisioningProfile? {
        if case .read(let profile) = self { profile } else { nil }
    }
}

extension AppBundle {
    var infoPlace: RelativePath { path / "Info.plist" }
    var profilePlace: RelativePath { path / "embedded.mobileprovision" }
}
