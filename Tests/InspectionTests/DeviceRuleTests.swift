import Bundles
import Identifiers
import Inspection
import PropertyLists
import Sample
import Testing

/// Rules about a single device, evaluated from the report and the facts about the device.
@Suite struct DeviceRuleTests {
    private static func phone(
        _ model: String? = "iPhone15,2",
        os: String? = "18.1",
        family: DeviceFamily? = .phone,
    ) -> DeviceFacts {
        DeviceFacts(
            udid: DeviceUDID(GoodBuild.devices[0]),
            family: family,
            os: os.flatMap { OSVersion($0) },
            model: model,
        )
    }

    /// The findings of device rules.
    private static func findings(
        on device: DeviceFacts,
        of build: IPABuilder,
    ) throws -> Findings {
        let findings = try build.report().verdict(for: device, at: GoodBuild.now).findings
            .filter { $0.id.hasPrefix("device.") }
        return Dictionary(findings.map { ($0.id, $0.severity) }) { max($0, $1) }
    }

    private static func requiring(_ capabilities: String...) throws -> IPABuilder {
        try GoodBuild.app().info(
            "UIRequiredDeviceCapabilities",
            .array(capabilities.map(PropertyList.string)),
        )
    }

    typealias Findings = [String: Severity]

    static let thinned: [([String], String?, Findings)] = [
        (["iPhone15,2"], "iPhone15,2", [:]),
        (["iPhone12,8-A", "iPhone15,2-A"], "iPhone15,2", [:]),
        (["iPhone14,7", "iPhone16,1"], "iPhone15,2", ["device.model-excluded": .blocks]),
        (["iPad8,1"], "iPhone15,2", ["device.model-excluded": .blocks]),
        (["iPhone12,1", "iPhone14,7"], "iPhone15,2", ["device.model-excluded": .warns]),
        (["iPhone12,1"], nil, ["device.model-unknown": .notes]),
        (["iPhone12,1"], "RealityDevice14,1", ["device.model-excluded": .blocks]),
    ]

    static let capabilities: [(String, String, Findings)] = [
        ("telephony", "iPhone15,2", [:]),
        ("telephony", "iPad13,4", ["device.capability-missing": .blocks]),
        ("nfc", "iPhone8,1", ["device.capability-missing": .blocks]),
        ("nfc", "iPhone9,1", [:]),
        ("arkit", "iPad5,3", ["device.capability-missing": .blocks]),
        ("arkit", "iPad6,11", [:]),
        (
            "iphone-ipad-minimum-performance-a12", "iPad7,11",
            ["device.capability-missing": .blocks],
        ),
        ("iphone-performance-gaming-tier", "iPhone15,2", ["device.capability-missing": .blocks]),
        ("iphone-performance-gaming-tier", "iPhone16,1", [:]),
        ("sms", "iPad13,4", ["device.capability-doubtful": .warns]),
        ("gps", "iPad13,4", [:]),
        ("gps", "iPod9,1", ["device.capability-missing": .blocks]),
        ("metal", "iPhone5,1", ["device.capability-missing": .blocks]),
        ("wifi", "iPhone5,1", [:]),
    ]

    @Test func `a good build has no complaint about a phone that is known`() throws {
        #expect(try Self.findings(on: Self.phone(), of: GoodBuild.app()) == [:])
    }

    @Test(arguments: thinned)
    func `a thinned variant is for its models`(
        listed: [String],
        model: String?,
        expected: Findings,
    ) throws {
        let build = try GoodBuild.app()
            .info("UISupportedDevices", .array(listed.map(PropertyList.string)))
        #expect(try Self.findings(on: Self.phone(model), of: build) == expected)
    }

    @Test(arguments: capabilities)
    func `a required capability decides where Apple says who has it`(
        capability: String,
        model: String,
        expected: Findings,
    ) throws {
        let family: DeviceFamily = model.hasPrefix("iPad") ? .pad : .phone
        let device = Self.phone(model, family: family)
        #expect(try Self.findings(on: device, of: Self.requiring(capability)) == expected)
    }

    @Test(
        arguments: [
            ("iPhone10,3", "17.0", true), ("iPhone9,1", "16.0", true), ("iPad7,5", "17.0", true),
            ("iPod9,1", "15.0", true), ("iPhone11,8", "17.0", false), ("iPad8,1", "17.0", false),
            ("iPad11,6", "17.0", false), ("iPhone17,1", "26.0", false),
        ]
    )
    func `code for arm64e alone needs an A12`(
        model: String,
        os: String,
        isRefused: Bool,
    ) throws {
        let family: DeviceFamily = model.hasPrefix("iPad") ? .pad : .phone
        let device = Self.phone(model, os: os, family: family)
        let late = try GoodBuild.app().editing { $0.app.architectures = [.arm64e] }
        #expect(
            try Self.findings(on: device, of: late)
                == (isRefused ? ["device.processor-unsupported": .blocks] : [:])
        )
        let both = try GoodBuild.app().editing {
            $0.app.architectures = [.arm64, .arm64e, .arm64eX1]
        }
        #expect(try Self.findings(on: device, of: both) == [:])
        #expect(try both.complaints().map(\.message) == [])
    }

    @Test func `where every device has an A12 nothing is said of arm64e`() throws {
        let build = try GoodBuild.app().minimumOS("26.0")
            .editing { $0.app.architectures = [.arm64e] }
        #expect(try build.complaints().map(\.message) == [])
    }

    @Test func `the family decides where the model is not known`() throws {
        let pad = Self.phone(nil, family: .pad)
        #expect(
            try Self.findings(on: pad, of: Self.requiring("telephony"))
                == ["device.capability-missing": .blocks]
        )
        #expect(try Self.findings(on: pad, of: Self.requiring("arkit")) == [:])
        let unknown = Self.phone(nil, family: nil)
        #expect(try Self.findings(on: unknown, of: Self.requiring("telephony", "nfc")) == [:])
    }

    @Test(
        arguments: [
            ("1.0", "17.3", [:]), ("1.0", "17.4", ["device.os-too-old": .blocks]),
            ("2.1", "15.0", [:]), ("2.1", "18.2", ["device.os-too-old": .blocks]),
            ("26.0", "26.0", [:]), ("7.0", "15.0", ["device.os-unknown": .notes]),
        ] as [(String, String, Findings)]
    )
    func `a version of visionOS stands for one of iOS`(
        os: String,
        minimum: String,
        expected: Findings,
    ) throws {
        let build = try GoodBuild.app().minimumOS(minimum)
        for family in [DeviceFamily.vision, nil] {
            let device = Self.phone("RealityDevice14,1", os: os, family: family)
            let found = try Self.findings(on: device, of: build)
            #expect(found.filter { $0.key.hasPrefix("device.os") } == expected)
        }
    }

    @Test func `what refuses since some iOS refuses on visionOS too`() throws {
        let build = try GoodBuild.app().minimumOS("12.0")
            .editing { $0.app.signing.includesDEREntitlements = false }
        let device = Self.phone("RealityDevice14,1", os: "2.1", family: .vision)
        #expect(
            try build.report().verdict(for: device, at: GoodBuild.now).verdict == .blocked
        )
    }

    @Test func `the system of a Mac is compared with nothing`() throws {
        let device = Self.phone("Mac14,2", os: "14.5", family: nil)
        let found = try Self.findings(on: device, of: GoodBuild.app())
        #expect(found["device.os-too-old"] == nil)
    }

    @Test func `what a device must not have decides too`() throws {
        let build = try GoodBuild.app().info(
            "UIRequiredDeviceCapabilities",
            .dictionary(["telephony": .boolean(false), "arm64": .boolean(true)]),
        )
        #expect(
            try Self.findings(on: Self.phone(), of: build) == ["device.capability-missing": .blocks]
        )
        #expect(try Self.findings(on: Self.phone("iPad13,4", family: .pad), of: build) == [:])
    }

    @Test func `what an extension or a watch app requires is not asked of the phone`() throws {
        var watch = BundleDraft.watchApplication(
            "Watch",
            identifier: "com.example.app.watch",
            companion: "com.example.app",
        )
        watch.info["UIRequiredDeviceCapabilities"] = .array([.string("gps")])
        let build = try GoodBuild.app().nesting(watch).nesting(.widget("Widget")) {
            $0.info["UIRequiredDeviceCapabilities"] = .array([.string("telephony")])
            $0.info["UISupportedDevices"] = .array([.string("iPhone99,1")])
        }
        #expect(try Self.findings(on: Self.phone("iPad13,4", family: .pad), of: build) == [:])
    }

    @Test(arguments: [("13.7", true), ("14.0", false), ("12.5", false)])
    func `an extension is refused between its own first iOS and its point's`(
        os: String,
        isRefused: Bool,
    ) throws {
        let build = try GoodBuild.app().minimumOS("12.0")
            .nesting(.widget("Widget")) { $0.minimumOS = "13.0" }
        #expect(
            try Self.findings(on: Self.phone(os: os), of: build)
                == (isRefused ? ["device.extension-point-unsupported": .blocks] : [:])
        )
    }

    @Test func `the model says what kind of device it is`() throws {
        let build = try GoodBuild.app().families(2)
        #expect(
            try Self.findings(on: Self.phone(family: nil), of: build)
                == ["device.family-unsupported": .blocks]
        )
        #expect(try Self.findings(on: Self.phone("iPad13,4", family: nil), of: build) == [:])
    }

    @Test func `a device without a UDID is judged by what it is`() throws {
        let report = try GoodBuild.report.get()
        let kind = DeviceFacts(family: .phone, os: OSVersion(major: 18), model: "iPhone15,2")
        #expect(report.verdict(for: kind, at: GoodBuild.now).verdict == .unknown)
        let old = DeviceFacts(family: .phone, os: OSVersion(major: 14), model: "iPhone12,1")
        let verdict = report.verdict(for: old, at: GoodBuild.now)
        #expect(verdict.verdict == .blocked)
        #expect(verdict.reasons.map(\.id) == ["device.os-too-old"])
        let enterprise = try GoodBuild.app().editingProfile { $0.kind = .enterprise }.report()
        #expect(enterprise.verdict(for: kind, at: GoodBuild.now).verdict == .installs)
    }
}
