import Bundles
import Identifiers

/// An extension point of the system.
///
/// Apple documents them one by one; "NSExtensionPointIdentifier" (Information Property List) lists the
/// older ones.
struct ExtensionPoint: Sendable {
    /// The entry point that an extension's NSExtension must declare.
    enum Entry: Sendable {
        /// A principal class or a storyboard.
        case named
        /// Neither: the extension has a main function of its own. The installer refuses others from this
        /// version of iOS on.
        case prohibited(from: OSVersion)
        /// Not documented.
        case unknown
    }

    let name: String
    /// The first version of iOS that has it.
    let since: OSVersion
    let entry: Entry

    private init(_ name: String, since version: OSVersion, _ entry: Entry = .unknown) {
        self.name = name
        since = version
        self.entry = entry
    }

    /// - Returns: nil for an unknown extension point.
    static func named(_ name: String) -> ExtensionPoint? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    private static func points(
        _ major: Int,
        _ minor: Int = 0,
        _ entry: Entry = .unknown,
        _ names: String...,
    ) -> [ExtensionPoint] {
        names.map {
            ExtensionPoint(
                "com.apple." + $0,
                since: OSVersion(major: major, minor: minor),
                entry,
            )
        }
    }

    /// Extension points of macOS only: the installer looks them up for the platform on which it runs.
    static let ofMac: Set = [
        "com.apple.dt.Xcode.extension.source-editor", "com.apple.email.extension",
        "com.apple.FinderSync", "com.apple.fskit.fsmodule", "com.apple.photo-project",
        "com.apple.Safari.extension",
    ]

    static let all: [ExtensionPoint] =
        points(
            8,
            0,
            .named,
            "fileprovider-nonui",
            "keyboard-service",
            "photo-editing",
            "services",
            "share-services",
            "ui-services",
            "widget-extension",
        )
        + points(8, 0, .unknown, "fileprovider-ui")
        + points(8, 2, .unknown, "watchkit")
        + points(
            9,
            0,
            .named,
            "networkextension.app-proxy",
            "networkextension.filter-control",
            "networkextension.filter-data",
            "networkextension.packet-tunnel",
            "Safari.content-blocker",
            "Safari.sharedlinks-service",
            "spotlight.index",
        )
        + points(9, 0, .unknown, "AudioUnit", "AudioUnit-UI")
        + points(
            10,
            0,
            .named,
            "broadcast-services",
            "broadcast-services-upload",
            "callkit.call-directory",
            "intents-service",
            "intents-ui-service",
            "message-payload-provider",
            "usernotifications.content-extension",
            "usernotifications.service",
        )
        + points(10, 0, .unknown, "broadcast-services-setupui", "ctk-tokens")
        + points(
            11,
            0,
            .named,
            "fileprovider-actionsui",
            "identitylookup.message-filter",
            "networkextension.dns-proxy",
            "quicklook.preview",
            "quicklook.thumbnail",
        )
        + points(11, 4, .unknown, "classkit.context-provider")
        + points(
            12,
            0,
            .named,
            "authentication-services-credential-provider-ui",
            "identitylookup.classification-ui",
        )
        + points(13, 0, .unknown, "AppSSO.idp-extension")
        + points(14, 0, .prohibited(from: OSVersion(major: 14)), "widgetkit-extension")
        + points(
            14,
            0,
            .unknown,
            "authentication-services-account-authentication-modification-ui",
            "networkextension.app-push",
            "PassKit.issuer-provisioning",
            "PassKit.issuer-provisioning.authorization",
            "printing.discovery",
        )
        + points(
            15,
            0,
            .unknown,
            "calendar.virtualconference",
            "deviceactivity.monitor-extension",
            "location.push.service",
            "ManagedSettings.shield-action-service",
            "ManagedSettingsUI.shield-configuration-service",
            "Safari.web-extension",
        )
        + points(
            16,
            0,
            .prohibited(from: OSVersion(major: 26)),
            "deviceactivityui.report-extension",
        )
        + points(16, 0, .unknown, "appintents-extension", "discovery-extension")
        + points(
            16,
            1,
            .unknown,
            "background-asset-downloader-extension",
            "matter.support.extension.device-setup",
        )
        + points(
            17,
            4,
            .unknown,
            "web-browser-engine.content",
            "web-browser-engine.networking",
            "web-browser-engine.rendering",
        )
        + points(18, 0, .unknown, "contact.provider.extension", "live-lookup", "securecapture")
        + points(
            26,
            0,
            .unknown,
            "app-migration",
            "identity-document-services.document-provider-ui",
            "networkextension.url-filter-control",
        )
}
