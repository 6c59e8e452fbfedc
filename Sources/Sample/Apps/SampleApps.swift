package import Essentials

/// Sample apps.
package enum SampleApps {
    /// The app of `ota sample`, with one framework and a profile for one device besides those given.
    package static func sample(
        by authority: SigningAuthority,
        at date: Date,
        devices: [String] = [],
    ) -> IPABuilder {
        IPABuilder("Sample", identifier: "com.example.ota-sample", by: authority, at: date)
            .version("1.0", build: "1")
            .families(1, 2)
            .nesting(.framework("SampleKit"))
            .resource(.text("Base.lproj/Localizable.strings", "\"greeting\" = \"Hello\";\n"))
            .resource(.text("de.lproj/Localizable.strings", "\"greeting\" = \"Hallo\";\n"))
            .resource(.noise("Assets.car", count: 64 * 1024))
            .profile(ProfileBuilder(.adHoc, devices: [SampleDevices.one] + devices, created: date))
    }
}
