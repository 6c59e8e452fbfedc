/// The steps in the order a phone takes them; raw values are what scripts match on.
package enum StepName: String, CaseIterable, Sendable {
    case authority
    case connection
    case trust
    case page
    case link
    case manifest
    case offer
    case icons
    case archive
    case ranges
    case download
    case digests
    case identity
    case compatibility
    case profile

    package var title: String {
        switch self {
        case .authority: "Trust the server's authority"
        case .connection: "Connect"
        case .trust: "Trust the server"
        case .page: "Open the install page"
        case .link: "Find the install link"
        case .manifest: "Fetch the manifest"
        case .offer: "Read the manifest"
        case .icons: "Fetch the icons"
        case .archive: "Ask for the app's size"
        case .ranges: "Ask for a part of the app"
        case .download: "Download the app"
        case .digests: "Check the digests"
        case .identity: "Compare the app with the manifest"
        case .compatibility: "Compare the app with the device"
        case .profile: "Look for the device in the profile"
        }
    }
}
