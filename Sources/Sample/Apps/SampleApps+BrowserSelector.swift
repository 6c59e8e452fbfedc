package import Essentials
import PropertyLists

extension SampleApps {
    /// BrowserSelector: a managed entitlement, the web schemes, and many queried schemes.
    package static func browserSelector(
        by authority: SigningAuthority,
        at date: Date,
    ) -> IPABuilder {
        IPABuilder(
            "BrowserSelector",
            identifier: "com.example.BrowserSelector",
            by: authority,
            at: date,
        )
        .displayName("Browser Selector")
        .version("1.2.3", build: "58")
        .minimumOS("16.0")
        .families(1, 2)
        .info("LSApplicationQueriesSchemes", .array(browserSchemes.map { .string($0) }))
        .info(
            "CFBundleURLTypes",
            .array([
                .dictionary([
                    "CFBundleTypeRole": .string("Viewer"),
                    "CFBundleURLName": .string("Web site URL"),
                    "CFBundleURLSchemes": .array([.string("http"), .string("https")]),
                ])
            ]),
        )
        .entitlement("com.apple.developer.web-browser", .boolean(true))
        .resource(.noise("Assets.car", count: 48 * 1024))
        .profile(ProfileBuilder(.adHoc, devices: SampleDevices.list(8), created: date))
    }

    /// The 21 browsers to which it can pass a page.
    package static let browserSchemes = [
        "arc", "brave", "ddgQuickLink", "dolphin", "duckduckgo", "ecosia", "edge",
        "firefox", "firefox-focus", "googlechrome", "googlechromes", "kagi", "microsoft-edge",
        "microsoft-edge-https", "opera-http", "opera-https", "orion", "touch-http", "touch-https",
        "vivaldi", "yandexbrowser-open-url",
    ]
}
