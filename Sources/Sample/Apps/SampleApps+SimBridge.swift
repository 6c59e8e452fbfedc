package import Essentials
import PropertyLists

extension SampleApps {
    /// SimBridge Client: pairs with a Mac by a six-digit code.
    package static func simBridgeClient(
        by authority: SigningAuthority,
        at date: Date,
    ) -> IPABuilder {
        simBridge("Client", by: authority, at: date)
            .info("NSCameraUsageDescription", .string("Read the pairing code from the screen."))
            .info("UIBackgroundModes", .array([.string("remote-notification")]))
            .entitlement("aps-environment", .string("production"))
    }

    /// SimBridge Host: the companion for iPad, which shares an app group with the client.
    package static func simBridgeHost(by authority: SigningAuthority, at date: Date) -> IPABuilder {
        simBridge("Host", by: authority, at: date).families(2)
    }

    private static func simBridge(
        _ role: String,
        by authority: SigningAuthority,
        at date: Date,
    ) -> IPABuilder {
        IPABuilder(
            "SimBridge\(role)",
            identifier: "com.example.simbridge.\(role.lowercased())",
            by: authority,
            at: date,
        )
        .displayName("SimBridge \(role)")
        .version("0.9.0", build: "90")
        .minimumOS("17.0")
        .families(1, 2)
        .info("NSLocalNetworkUsageDescription", .string("Reach your other SimBridge device."))
        .info("NSBonjourServices", .array([.string("_simbridge._tcp")]))
        .entitlement(
            "com.apple.security.application-groups",
            .array([.string("group.com.example.simbridge")]),
        )
        .resource(.noise("Assets.car", count: 80 * 1024))
        .profile(ProfileBuilder(.adHoc, devices: SampleDevices.list(20), created: date))
    }
}
