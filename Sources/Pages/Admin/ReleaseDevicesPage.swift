/// Who of the register can install a release, and why the others cannot.
package struct ReleaseDevicesPage: AdminPage {
    package let admin: AdminChrome
    let release: String
    let releaseURL: String
    let sentence: String
    let bar: ShareBar?
    let devices: [DeviceRow]
    let isEmpty: Bool

    /// - Parameters:
    ///   - name: the release, as in `Browsey 2.4.0 (318)`.
    ///   - url: the release's page.
    ///   - devices: every device in use, those that cannot install it first.
    ///   - admin: what surrounds the page.
    package init(of name: String, at url: String, devices: [JudgedDevice], admin: AdminChrome) {
        self.admin = admin
        release = name
        releaseURL = url
        isEmpty = devices.isEmpty
        sentence =
            devices.isEmpty
            ? "No active devices."
            : JudgedDevice.sentence(devices.count(where: \.canInstall), of: devices.count) + "."
        bar =
            devices.isEmpty
            ? nil
            : ShareBar(devices.count(where: \.canInstall), of: devices.count, label: sentence)
        self.devices = devices.map(DeviceRow.init)
    }
}
