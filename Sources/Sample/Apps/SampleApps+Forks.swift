package import Essentials
import PropertyLists

extension SampleApps {
    /// Forks: widget, share extension, Live Activity and watch app, each with a profile of its own.
    package static func forks(by authority: SigningAuthority, at date: Date) -> IPABuilder {
        let group = PropertyList.array([.string("group.com.example.forks")])
        var widget = BundleDraft.widget("ForksWidget")
        var share = BundleDraft.shareExtension("ForksShare")
        var activity = BundleDraft.widget("ForksLiveActivity")
        activity.minimumOS = "17.0"
        for key in ["com.apple.security.application-groups"] {
            widget.entitlements[key] = group
            share.entitlements[key] = group
            activity.entitlements[key] = group
        }
        var watch = BundleDraft.watchApplication(
            "ForksWatch",
            identifier: "com.example.forks.watchkitapp",
            companion: "com.example.forks",
        )
        watch.nested = [.widget("ForksComplication")]
        return IPABuilder("Forks", identifier: "com.example.forks", by: authority, at: date)
            .displayName("Forks")
            .version("3.1.0", build: "412")
            .minimumOS("17.0")
            .families(1, 2)
            .info("NSSupportsLiveActivities", .boolean(true))
            .entitlement("com.apple.security.application-groups", group)
            .entitlement("aps-environment", .string("production"))
            .nesting(.framework("ForksCore"), widget, share, activity, watch)
            .resource(.noise("Assets.car", count: 160 * 1024))
            .profile(ProfileBuilder(.adHoc, devices: SampleDevices.list(30), created: date))
    }
}
