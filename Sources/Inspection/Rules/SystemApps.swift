/// Bundle identifiers of what Apple puts on iPhone and iPad itself.
///
/// "Bundle IDs for native iPhone and iPad apps" (Apple Platform Deployment).
enum SystemApps {
    static func contains(_ identifier: String) -> Bool {
        guard identifier.hasPrefix(prefix) else { return false }
        return names.contains(String(identifier.dropFirst(prefix.count)))
    }

    static let prefix = "com.apple."

    private static let names: Set = [
        "AppStore", "Batteries", "Bridge", "DocumentsApp", "Fitness", "Health", "Home",
        "InCallService", "Magnifier", "Maps", "MobileAddressBook", "MobileSMS", "MobileStore",
        "Music", "Passbook", "Passwords", "Playgrounds", "Preferences", "Print", "Translate",
        "VoiceMemos", "appleseed.FeedbackAssistant", "calculator", "camera", "clips",
        "compass", "facetime", "findmy", "findmyfriends", "findmyiphone", "freeform", "games",
        "iBooks", "iCloudDriveApp", "iMovie", "Keynote", "Numbers", "Pages", "journal", "measure",
        "mobilecal", "mobilegarageband", "mobilemail", "mobileme.fmf1", "mobileme.fmip1",
        "mobilenotes", "mobilephone", "mobilesafari", "mobileslideshow", "mobiletimer", "news",
        "podcasts", "Preview", "reminders", "shortcuts", "springboard", "stocks", "store.Jolly",
        "supportapp", "tips", "tv", "videos", "weather", "webapp",
    ]
}
