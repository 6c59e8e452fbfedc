import Bundles
import Identifiers
import Images
import Inspection
import Pages
import Releases
import Testing

/// The admin's pages of apps, releases and devices, and their shared parts.
extension ExamplePages {
    func thingPages() throws -> [String: String] {
        [
            "apps": try html(apps()),
            "apps-searched": try html(apps(isSearched: true)),
            "apps-empty": try html(AppsPage(apps: [], at: Self.now, admin: admin(.apps))),
            "app": try html(app()),
            "app-reader": try html(app(isReader: true)),
            "release": try html(adminRelease()),
            "release-signed": try html(signedRelease()),
            "release-withdrawn": try html(withdrawnRelease()),
            "release-devices": try html(releaseDevices()),
            "notes": try html(notesPage()),
            "publish": try html(publishPage()),
            "upload-running": try html(uploadPage(.publishing)),
            "upload-refused": try html(uploadPage(refusedUpload())),
            "upload-checked": try html(uploadPage(checkedUpload())),
            "upload-done": try html(uploadPage(publishedUpload())),
            "crash": try html(crash()),
            "confirm": try html(confirm()),
            "matrix": try html(matrix()),
            "devices": try html(devices()),
            "devices-none": try html(devices(isEmpty: true)),
            "device": try html(device(.enrolled)),
            "device-disabled": try html(device(.disabled)),
            "device-at-apple": try html(device(.registered, atApple: .disabled)),
            "invitations": try html(invitations()),
            "invited": try html(invited()),
            "invited-many": try html(invited(places: 50)),
            "groups": try html(groups()),
            "groups-none": try html(groups(isEmpty: true)),
            "group": try html(group()),
            "group-empty": try html(group(isEmpty: true)),
            "channel-access": try html(channelAccess()),
            "feedback-list": try html(feedbackList()),
            "rules": try html(rules()),
            "rules-refused": try html(rules(isRefused: true)),
            "device-import": try html(deviceImport()),
            "device-add": try html(deviceAdd()),
        ].merging(try peoplePages()) { page, _ in page }
    }

    // MARK: Parts

    func record() throws -> AppRecord {
        var app = try AppRecord(
            bundleIdentifier: #require(BundleIdentifier("com.vforsh.browsey")),
            title: word("Browsey"),
            slug: #require(Slug("browsey")),
            created: Self.now,
        )
        app.access = .passphrase
        app.isListed = false
        app.channels = [.stable: try release().identifier]
        app.channels[try beta()] = ReleaseIdentifier(version: "2.3.0", build: "300")
        return app
    }

    func beta() throws -> ChannelName { try #require(ChannelName("beta")) }

    func drawing() throws -> String {
        try QRCode(encoding: "https://ota.example.com").svg(label: "Code of this page")
    }

    func sampleDevice(_ number: Int, name: String) throws -> Device {
        Device(
            udid: try #require(DeviceUDID("00008120-0000000000000" + String(100 + number))),
            name: name,
            family: .iphone,
            model: "iPhone15,2",
            os: OSVersion("18.1"),
            added: Self.now,
        )
    }

    /// A device that cannot install a build, one that can, and one of which it is unknown.
    func judged() throws -> [JudgedDevice] {
        let reason = Finding(
            id: "device.not-in-profile",
            severity: .blocks,
            place: "Payload/Browsey.app/embedded.mobileprovision",
            message: word("The device is not one of the 12 that the profile lists."),
            fix: word("Register it, add it to the profile and build again."),
            devices: [try #require(DeviceUDID("00008120-0000000000000100"))],
        )
        return [
            JudgedDevice(
                device: try sampleDevice(0, name: word("Ana’s iPhone")),
                judged: DeviceVerdict(verdict: .blocked, findings: [reason]),
                url: "device.html",
            ),
            JudgedDevice(
                device: try sampleDevice(1, name: word("Ben’s iPhone")),
                judged: DeviceVerdict(verdict: .installs, findings: []),
                url: "device.html",
            ),
            JudgedDevice(
                device: try sampleDevice(2, name: word("Cleo’s iPhone")),
                judged: DeviceVerdict(verdict: .unknown, findings: []),
                url: "device.html",
            ),
        ]
    }
}
