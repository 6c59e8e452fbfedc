/// What iOS shows when something fails, according to public sources.
///
/// The wording varies with the version of iOS; installd's own reason appears only in the device's log.
package enum PhoneScreen: Equatable, Sendable, CustomStringConvertible {
    /// Safari cannot reach the page.
    case safariCannotConnect(host: String)
    /// Safari reaches the server but does not trust it.
    case safariNotPrivate(host: String)
    /// Safari shows the server's response.
    case safari(String)
    /// A message of Settings while it installs a profile.
    case settings(String)
    /// The alert of `itms-services` for a manifest or an app that cannot be fetched.
    case cannotConnect(host: String)
    /// The app's icon appears, then the alert.
    case cannotDownload(title: String?)
    case cannotInstall(title: String?)
    /// The alert for a rejected signature or profile.
    case integrity(title: String?)
    /// No alert.
    case vanishes

    package var description: String {
        switch self {
        case .safariCannotConnect(let host):
            "Safari: “Safari can’t open the page because it couldn’t connect to \(host)”"
        case .safariNotPrivate(let host):
            "Safari: “This Connection Is Not Private” for \(host)"
        case .safari(let text): "Safari: \(text)"
        case .settings(let text): "Settings: \(text)"
        case .cannotConnect(let host): "“Cannot connect to \(host)”"
        case .cannotDownload(let title):
            "Unable to Download App: “\(title ?? "App")” could not be downloaded at this time."
        case .cannotInstall(let title):
            "Unable to Install “\(title ?? "App")”: it could not be installed at this time."
        case .integrity(let title):
            "Unable to Install “\(title ?? "App")”: This app cannot be installed because its "
                + "integrity could not be verified."
        case .vanishes:
            "no alert: the icon turns grey and vanishes after the download"
        }
    }
}
