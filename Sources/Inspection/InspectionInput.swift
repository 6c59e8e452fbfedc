import Bundles
import Bytes
import CodeSignature
import Cryptography
import PropertyLists
import Zip

/// What the rules look at: the bundles, and each profile with what could be proven of it.
struct InspectionInput {
    let application: AppBundle
    let icon: AppIcon
    /// The archive's entries, for what is asked by name alone.
    let archive: ZipArchive
    /// The authorities that are trusted.
    let anchors: TrustAnchors
    /// Every signature in the app, in the shape of ``application``.
    let signatures: BundleSignatures
    private let profiles: [RelativePath: ProfileReading]
    private let signaturesByPath: [RelativePath: BundleSignatures]
    /// The extensions that ``lent(to:)`` is about, by their paths.
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

    /// What holds of the signature of a bundle's own executable and files.
    func signatures(of bundle: AppBundle) -> BundleSignatures? { signaturesByPath[bundle.path] }

    /// What a bundle's executable asks for: the entitlements of the first slice that
    /// devices pick and that has any.
    func claims(of bundle: AppBundle) -> PropertyList? {
        signatures(of: bundle)?.executable?.slices.picked(
            forWatch: true,
            from: bundle.info.minimumOS,
        )
        .lazy.compactMap { $0.signature.evidence?.entitlements?.claimed }.first
    }

    /// What came of the bundle's own profile.
    func profile(of bundle: AppBundle) -> ProfileReading {
        profiles[bundle.path] ?? .absent
    }

    /// The app's profile, for an extension without one whose code and signer it covers: devices take
    /// any profile that they have.
    func lent(to bundle: AppBundle) -> ProvisioningProfile? {
        borrowers.contains(bundle.path) ? profile(of: application).profile : nil
    }

    /// The profile that has to allow what a bundle's code claims.
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

    /// The app and those inside it that are signed with a profile of their own.
    var provisioned: [AppBundle] { application.everyBundle.filter(\.kind.hasOwnProfile) }

    /// The frameworks that installd validates: those directly in what has a profile of its own.
    var validatedFrameworks: [AppBundle] {
        provisioned.flatMap { $0.nested.filter { $0.kind == .framework } }
    }
}

/// What came of reading a bundle's profile.
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
