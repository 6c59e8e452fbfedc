import Bundles
import Foundation
import Identifiers
import Releases
import TestSupport
import Testing

/// The store's documents, as text that a person can read.
struct DocumentTests {
    @Test func `an app is written with a schema and sorted keys, and read back`() throws {
        var app = AppRecord(
            bundleIdentifier: try #require(BundleIdentifier("com.vforsh.browsey")),
            title: "Browsey & <friends>",
            slug: try #require(Slug("browsey")),
            created: ExampleRelease.now,
        )
        app.channels = [.stable: ReleaseIdentifier(version: "2.4.0", build: "318")]
        let text = try StoredJSON.text(app)
        #expect(try text == Golden.text("app.json", recording: text))
        #expect(try StoredJSON.value(AppRecord.self, from: text) == app)
    }

    @Test func `a release is written with a schema and sorted keys, and read back`() throws {
        var release = try ExampleRelease(notes: "- One\n- Two").release()
        release.withdrawal = Release.Withdrawal(
            date: ExampleRelease.now,
            actor: "admin",
            reason: "It crashes at start.",
        )
        let text = try StoredJSON.text(release)
        #expect(try text == Golden.text("release.json", recording: text))
        #expect(try StoredJSON.value(Release.self, from: text) == release)
    }

    @Test func `the device register is written with a schema, and read back`() throws {
        var register = DeviceRegister()
        register.renewal = ExampleRelease.now
        let udid = try #require(DeviceUDID("00008120-000A1B2C3D4E5F60"))
        try register.add(
            Device(
                udid: udid,
                name: "Ada’s iPhone",
                family: .iphone,
                model: "iPhone15,2",
                os: OSVersion("17.4"),
                added: ExampleRelease.now,
            ),
            at: ExampleRelease.now,
        )
        let text = try StoredJSON.text(register)
        #expect(try text == Golden.text("devices.json", recording: text))
        #expect(try StoredJSON.value(DeviceRegister.self, from: text) == register)
    }

    @Test(arguments: ["bundleIdentifier", "slug"])
    func `a document whose names are no names is refused`(key: String) throws {
        let app = AppRecord(
            bundleIdentifier: try #require(BundleIdentifier("com.vforsh.browsey")),
            title: "Browsey",
            slug: try #require(Slug("browsey")),
            created: ExampleRelease.now,
        )
        let data = Data(try StoredJSON.text(app).utf8)
        var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        object[key] = "../../etc/passwd"
        let hostile = try JSONSerialization.data(withJSONObject: object)
        #expect(throws: DecodingError.self) {
            try StoredJSON.value(AppRecord.self, from: String(decoding: hostile, as: UTF8.self))
        }
    }
}
