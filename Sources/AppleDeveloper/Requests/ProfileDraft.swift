/// What a new Ad Hoc profile shall be.
package struct ProfileDraft: Sendable, Equatable {
    package let name: ProfileName
    package let bundleID: ResourceID
    /// The one certificate that an Ad Hoc profile takes.
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
