import Bundles
import Identifiers

/// The user agents of iOS components.
enum UserAgent {
    /// Mobile Safari, which opens pages.
    static func safari(_ os: OSVersion) -> String {
        "Mozilla/5.0 (iPhone; CPU iPhone OS \(os.major)_\(os.minor) like Mac OS X)"
            + " AppleWebKit/605.1.15 (KHTML, like Gecko) Version/\(os.major).\(os.minor)"
            + " Mobile/15E148 Safari/604.1"
    }

    /// The component that installs profiles and responds to a Profile Service.
    static let profiles = "Profile/1.0"

    /// The daemon that fetches manifest, icons and app.
    static func installer(_ os: OSVersion) -> String {
        "com.apple.appstored/1.0 iOS/\(os) model/iPhone15,2 hwp/t8120 build/22B83 (6; dt:289) AMS/1"
    }
}
