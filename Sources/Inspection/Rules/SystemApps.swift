/// The bundle identifiers of Apple's own apps on iPhone and iPad.
///
/// Source: "Bundle IDs for native iPhone and iPad apps" (Apple Platform Deployment).
enum SystemApps {
    static func contains(_ identifier: String) -> Bool {
        guard identifier.hasPrefix(prefix) else { return false }
        return names.contains(String(identifier.dropFirst(prefix.count)))
    }

    static let prefix = "com.apple."

    private static let names: Set = [
        "AppStore", "Batteries", "Bridge", "DocumentsApp", "Fitness", "Health", "Home",
        "InCallService", "Magnifier", "Maps", "MobileAddressBook", "MobileSMS", "MobileStore",
        "Music", "Passbook", "Passwords", "Preferences", "Preview", "Print", "Translate",
        "VoiceMemos", "calculator", "camera", "compass", "facetime", "findmy", "freeform",
        "games", "iBooks", "journal", "measure", "mobilecal", "mobilemail", "mobilenotes",
        "mobilephone", "mobilesafari", "mobileslideshow", "mobiletimer", "news", "podcasts",
        "reminders", "shortcuts", "springboard", "stocks", "tips", "tv", "weather", "webapp",
    ]
}
