import Bundles

/// What the rules look at: the bundles, and each profile with what could be proven of it.
struct Specimen {
    let application: AppBundle
    let icon: AppIcon
    private let profiles: [String: ProfileReading]

    init(application: AppBundle, icon: AppIcon, profiles: [String: ProfileReading]) {
        self.application = application
        self.icon = icon
        self.profiles = profiles
    }

    /// What came of the bundle's own profile.
    func profile(of bundle: AppBundle) -> ProfileReading {
        profiles[bundle.path] ?? .absent
    }

    /// The app and those inside it that are signed with a profile of their own.
    var provisioned: [AppBundle] { application.everyBundle.filter(\.kind.hasOwnProfile) }
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
    var infoPlace: String { path + "/Info.plist" }
    var profilePlace: String { path + "/embedded.mobileprovision" }
}
