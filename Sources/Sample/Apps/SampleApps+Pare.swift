package import Essentials
import PropertyLists

extension SampleApps {
    package enum Configuration: Sendable { case debug, release }

    /// Pare: iPhone and iPad.
    ///
    /// A debug build may connect to any host, a release build to none without TLS.
    ///
    /// `allowsArbitraryLoads` overrides that: a release build must not set it, but sometimes does.
    package static func pare(
        _ configuration: Configuration = .release,
        allowsArbitraryLoads: Bool? = nil,
        by authority: SigningAuthority,
        at date: Date,
    ) -> IPABuilder {
        let isDebug = configuration == .debug
        let pare = IPABuilder(
            "Pare",
            identifier: "com.OptimusCashLLC.pare",
            by: authority,
            at: date,
        )
        .displayName("Pare")
        .version("2.3.1", build: "231")
        .minimumOS("17.0")
        .families(1, 2)
        .info(
            "NSAppTransportSecurity",
            .dictionary([
                "NSAllowsArbitraryLoads": .boolean(allowsArbitraryLoads ?? isDebug),
                "NSAllowsLocalNetworking": .boolean(isDebug),
            ]),
        )
        .info(
            "API_BASE_URL",
            .string(isDebug ? "http://localhost:3000" : "https://api.pare.example"),
        )
        .info("ITSAppUsesNonExemptEncryption", .boolean(false))
        .entitlement("aps-environment", .string(isDebug ? "development" : "production"))
        .entitlement(
            "com.apple.developer.associated-domains",
            .array([.string("applinks:pare.example")]),
        )
        .nesting(.framework("PareKit"))
        .resource(.noise("Assets.car", count: 128 * 1024))
        return pare.profile(
            ProfileBuilder(
                isDebug ? .development : .adHoc,
                devices: SampleDevices.list(12),
                created: date,
            )
        )
    }
}
