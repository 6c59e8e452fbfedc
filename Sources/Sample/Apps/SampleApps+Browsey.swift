package import Essentials
import PropertyLists

extension SampleApps {
    /// Browsey: the plain Ad Hoc case, for as many devices as a team may register.
    ///
    /// Its seven keys: display name, camera, local network, Bonjour services, transport security on the
    /// local network, launch screen and orientations.
    package static func browsey(by authority: SigningAuthority, at date: Date) -> IPABuilder {
        IPABuilder("Browsey", identifier: "com.vforsh.browsey", by: authority, at: date)
            .displayName("Browsey")
            .version("1.4.0", build: "27")
            .minimumOS("16.0")
            .families(1, 2)
            .info("NSCameraUsageDescription", .string("Scan the QR code of a development server."))
            .info(
                "NSLocalNetworkUsageDescription",
                .string("Find development servers on your network."),
            )
            .info("NSBonjourServices", .array([.string("_browsey._tcp")]))
            .info(
                "NSAppTransportSecurity",
                .dictionary(["NSAllowsLocalNetworking": .boolean(true)]),
            )
            .info("UILaunchScreen", .dictionary(["UIColorName": .string("Background")]))
            .info(
                "UISupportedInterfaceOrientations",
                .array([
                    .string("UIInterfaceOrientationPortrait"),
                    .string("UIInterfaceOrientationLandscapeLeft"),
                    .string("UIInterfaceOrientationLandscapeRight"),
                ]),
            )
            .resource(.noise("Assets.car", count: 96 * 1024))
            .resource(.text("Base.lproj/Main.strings", "\"title\" = \"Browsey\";\n"))
            .profile(
                ProfileBuilder(.adHoc, devices: SampleDevices.list(100), created: date)
            )
    }
}
