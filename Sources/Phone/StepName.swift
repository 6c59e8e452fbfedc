/// The steps of a phone; scripts may rely on the raw values.
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

    case code
    case profileLink = "profile-link"
    case profileDownload = "profile-download"
    case profileSignature = "profile-signature"
    case profileRequest = "profile-request"
    case answer
    case result

    /// The steps from a page to an app, in the order of a phone.
    package static let installing: [StepName] = [
        .connection, .trust, .page, .link, .manifest, .offer, .icons, .archive, .ranges, .download,
        .digests, .identity, .compatibility, .profile,
    ]

    /// The steps from an invitation to a registered device, in the order of a phone.
    package static let enrolling: [StepName] = [
        .connection, .trust, .page, .code, .profileLink, .profileDownload, .profileSignature,
        .profileRequest, .answer, .result,
    ]

    package var title: String {
        switch self {
        case .authority: "Trust the server's authority"
        case .connection: "Connect"
        case .trust: "Trust the server"
        case .page: "Open the page"
        case .link: "Find the install link"
        case .manifest: "Fetch the manifest"
        case .offer: "Read the manifest"
        case .icons: "Fetch the icons"
        case .archive: "Request the app's size"
        case .ranges: "Request a part of the app"
        case .download: "Download the app"
        case .digests: "Check the digests"
        case .identity: "Compare the app with the manifest"
        case .compatibility: "Compare the app with the device"
        case .profile: "Find the device in the profile"
        case .code: "Enter the code"
        case .profileLink: "Find the profile's link"
        case .profileDownload: "Download the profile"
        case .profileSignature: "Check the profile's signature"
        case .profileRequest: "Read the profile's request"
        case .answer: "Answer as the device"
        case .result: "Open the result page"
        }
    }
}
