import Bundles
import Identifiers
import Inspection
import MachOFormat
import PropertyLists
import Sample
import Testing

/// How findings about signatures are reported: once, at their place, and only if they help.
@Suite struct SignatureRuleTests {
    private func ids(_ findings: [Finding]) -> [String] { findings.map(\.id) }

    private static let kit = "Payload/Example.app/Frameworks/Kit.framework/Kit"

    @Test func `an app without any signature is one finding`() throws {
        var widget = BundleDraft.widget("W")
        var kit = BundleDraft.framework("Kit")
        widget.signing.isSigned = false
        kit.signing.isSigned = false
        let found = try GoodBuild.app().nesting(widget, kit).unsigned().complaints()
        #expect(ids(found) == ["signature.missing"])
        #expect(found.first?.place == "Payload/Example.app/Example")
        #expect(found.first?.message.contains("Kit.framework/Kit”") == true)
        #expect(found.first?.message.contains("W.appex/W”") == true)
    }

    @Test func `a slice that no device picks decides nothing`() throws {
        let fat = try GoodBuild.app().editing { $0.app.architectures = [.armv7, .arm64] }
        let file = try MachOFile(reading: try fat.tree().bytes(of: "Example"))
        func complaints(breaking slice: BinarySlice?) throws -> [String] {
            let start = try #require(slice?.range.lowerBound)
            return ids(
                try fat.afterSigning { try $0.flip("Example", at: start + 5000) }.complaints()
            )
        }
        #expect(try complaints(breaking: file.slices.first) == [])
        #expect(try complaints(breaking: file.slices.last) == ["signature.pages-changed"])
    }

    @Test func `every slice that it holds of is named`() throws {
        let both = try GoodBuild.app().editing { $0.app.architectures = [.arm64, .arm64e] }
        #expect(try both.complaints().isEmpty)
        let adHoc = try both.signing { $0.message = .empty }.complaints()
        #expect(ids(adHoc) == ["signature.ad-hoc"])
        #expect(adHoc.first?.message.hasSuffix("(arm64, arm64e).") == true)
        let file = try MachOFile(reading: try both.tree().bytes(of: "Example"))
        let start = try #require(file.slices.last?.range.lowerBound)
        let patched = try both.afterSigning { try $0.flip("Example", at: start + 5000) }
            .complaints()
        #expect(ids(patched) == ["signature.pages-changed"])
        #expect(patched.first?.message.hasSuffix("(arm64e).") == true)
    }

    @Test func `pages are told by their numbers and by where they begin`() throws {
        let found = try GoodBuild.app().afterSigning {
            try $0.flip("Example", at: 5000)
            try $0.flip("Example", at: 13000)
        }.complaints()
        #expect(ids(found) == ["signature.pages-changed"])
        let message = try #require(found.first?.message)
        #expect(message.hasPrefix("2 of "))
        #expect(message.hasSuffix(": 1, 3, from offset 4096 of the file."))
    }

    @Test func `code that was signed anew inside a sealed app breaks the seal alone`() throws {
        let other = try GoodBuild.app().nesting(.framework("Kit")) {
            $0.adjustExecutable = { $0.extraCode = 64 }
        }.tree().bytes(of: "Frameworks/Kit.framework/Kit")
        let found = try GoodBuild.app().nesting(.framework("Kit")).afterSigning {
            try $0.replace("Frameworks/Kit.framework/Kit", with: other)
        }.complaints()
        #expect(ids(found) == ["seal.modified"])
        #expect(found.first?.place == Self.kit)
    }

    @Test func `another profile in a sealed app breaks the seal alone`() throws {
        let other = try GoodBuild.app().editingProfile { $0.name = "Another" }.tree()
            .bytes(of: "embedded.mobileprovision")
        let found = try GoodBuild.app().afterSigning {
            try $0.replace("embedded.mobileprovision", with: other)
        }.complaints()
        #expect(ids(found) == ["seal.modified"])
    }

    @Test func `of many files five are listed and the rest is counted`() throws {
        let found = try GoodBuild.app().afterSigning {
            for number in 0..<8 { $0.add(.text("more-\(number).txt", "")) }
        }.complaints()
        #expect(ids(found) == Array(repeating: "seal.added", count: 5))
        #expect(found.last?.message.hasSuffix("; 3 more like it are not listed.") == true)
    }

    @Test(arguments: [("14.8", Verdict.installs), ("15.0", .blocked), ("26.0", .blocked)])
    func `entitlements in XML alone are enough before iOS 15`(
        os: String,
        verdict: Verdict,
    ) throws {
        let report = try GoodBuild.app().minimumOS("13.0")
            .signing { $0.includesDEREntitlements = false }.report()
        let device = DeviceFacts(
            udid: DeviceUDID(GoodBuild.devices[0]),
            family: .phone,
            os: OSVersion(os),
        )
        #expect(report.verdict(for: device, at: GoodBuild.now).verdict == verdict)
    }

    @Test func `a build for the simulator is told by its Info.plist alone`() throws {
        let found = try GoodBuild.app().info("DTPlatformName", .string("iphonesimulator"))
            .editing {
                $0.app.architectures = [.x86_64, .arm64]
                $0.app.adjustExecutable = { $0.platform = .iOSSimulator }
            }
            .complaints()
        #expect(ids(found) == ["info.simulator-build"])
    }

    @Test func `libraries are found as dyld finds them`() throws {
        let found = try GoodBuild.app().nesting(.framework("Kit")).nesting(.widget("W")) {
            $0.adjustExecutable = {
                $0.libraries += ["@rpath/Kit.framework/Kit", "@rpath/libswift_Concurrency.dylib"]
                $0.runPaths = ["/usr/lib/swift", "@executable_path/../../Frameworks"]
            }
        }.complaints()
        #expect(ids(found) == [])
    }

    @Test(arguments: [
        "@executable_path/" + String(repeating: "a/", count: 600) + "x",
        "@rpath/" + String(repeating: "a/", count: 70) + "x",
        "@rpath/" + String(repeating: "/", count: 900) + "x",
    ])
    func `a library on a path longer than any is not looked for`(path: String) throws {
        let found = try GoodBuild.app().editing {
            $0.app.adjustExecutable = {
                $0.libraries.append(path)
                $0.runPaths = ["@executable_path/Frameworks"]
            }
        }.complaints()
        #expect(ids(found) == [])
    }

    @Test func `a library on a path that leaves the app is not looked for`() throws {
        let found = try GoodBuild.app().editing {
            $0.app.adjustExecutable = {
                $0.libraries += [
                    "@executable_path/../../../../Kit", "/usr/lib/libz.1.dylib",
                    "@loader_path/../../../..",
                ]
            }
        }.complaints()
        #expect(ids(found) == [])
    }
}
