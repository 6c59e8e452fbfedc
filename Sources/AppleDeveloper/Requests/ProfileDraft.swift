/// The contents of an Ad Hoc profile to be created.
package struct ProfileDraft: Sendable, Equatable {
    package let name: ProfileName
    package let bundleID: ResourceID
    /// The certificate; an Ad Hoc profile can have only one.
    package let certificate: ResourceID
    package let devices: [AccountDevice]

    package init(
        name: ProfileName,
        bundleID: ResourceID,
        certificate: ResourceID,
        devices: [AccountDevice],
    ) {
        self.name = name
        self.bundleID = bundleID
        self.certificate = certificate
        self.devices = devices
    }
}
