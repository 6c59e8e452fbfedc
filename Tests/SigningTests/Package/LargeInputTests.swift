import Bytes
import Identifiers
import Inspection
import Sample
import Signing
import Testing
import Zip

/// What is large beside the files of a build: the signatures that it had, and the devices of a profile.
@Suite struct LargeInputTests {
    @Test func `old signatures of more bytes than are kept are refused by name`() throws {
        let app = try Resigned.app().nesting(.framework("Kit"), .framework("Other"))
        let archive = try ZipArchive(reading: MemorySource(app.bytes()))
        let request = try Resigned.request([Resigned.profile("com.example.demo")])
        var signer = try PackageSigner(archive, for: request)
        let whole = try signer.plan()
        #expect(whole.bundles.count == 3)
        // Each of the three signatures is smaller.
        signer.signatureLimit = 20_000
        let refusal = #expect(throws: SigningRefusal.self) { try signer.plan() }
        #expect(refusal?.id == "signing.signatures-too-large")
    }

    @Test func `a profile with 12,000 devices signs an app for all of them`() throws {
        let devices = SampleDevices.list(12_000)
        let profile = try Resigned.profile("com.example.demo") { $0.devices = devices }
        let signed = try Resigned(try Resigned.app(), profile)
        #expect(signed.blocking == [])
        #expect(try signed.contents("Payload/Demo.app/embedded.mobileprovision") == profile.bytes)
        #expect(signed.report.profile?.devices?.count == 12_000)
        for index in [0, 5_999, 11_999] {
            let device = DeviceFacts(udid: DeviceUDID(devices[index]))
            let verdict = signed.report.verdict(for: device, at: Resigned.date)
            #expect(verdict.verdict != .blocked, "device \(index)")
        }
        let other = DeviceFacts(udid: DeviceUDID(SampleDevices.unlisted))
        #expect(signed.report.verdict(for: other, at: Resigned.date).verdict == .blocked)
    }
}
