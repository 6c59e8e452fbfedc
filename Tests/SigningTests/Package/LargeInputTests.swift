import Bytes
import Identifiers
import Inspection
import Sample
import Signing
import Testing
import Zip

/// Large inputs other than a build's files: its former signatures, and the devices in a profile.
@Suite struct LargeInputTests {
    @Test func `old signatures of more bytes than are kept are refused by name`() throws {
        let request = try Resigned.request([Resigned.profile("com.example.demo")])
        let app = try Resigned.app()
        var alone = try PackageSigner(
            ZipArchive(reading: MemorySource(app.bytes())),
            for: request,
        )
        // The memory for the signature of one program, rounded up to 500 bytes.
        let limit = try #require(
            stride(from: 500, through: 30_000, by: 500).first { limit in
                alone.signatureLimit = limit
                return (try? alone.plan()) != nil
            }
        )
        let nesting = app.nesting(.framework("Kit"), .framework("Other"))
        var signer = try PackageSigner(
            ZipArchive(reading: MemorySource(nesting.bytes())),
            for: request,
        )
        #expect(try signer.plan().bundles.count == 3)
        signer.signatureLimit = limit
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
