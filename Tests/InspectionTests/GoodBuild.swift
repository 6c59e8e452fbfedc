import Bundles
import Bytes
import Cryptography
import Foundation
import Images
import Inspection
import PropertyLists
import Sample
import Zip

/// Builds without a defect, signed as Xcode signs them, by the tests' own authority.
enum GoodBuild {
    /// 2026-01-15: the time of every inspection.
    static let now = Date(timeIntervalSince1970: 1_768_435_200)
    /// The time of every signature; the profile is valid for 200 days after ``now``.
    static let signing = now.addingDays(-165)

    static let devices = [
        "00008110-000A000000000001", "00008110-000A000000000002",
        "00000000000000000000000000000000000000a3",
    ]

    static func profile() -> ProfileBuilder {
        ProfileBuilder(.adHoc, devices: devices, created: signing, expires: now.addingDays(200))
    }

    /// An app without nested code, for iPhone and iPad, with an icon and two resources.
    static func app(_ identifier: String = "com.example.app") throws -> IPABuilder {
        try IPABuilder(
            "Example",
            identifier: identifier,
            by: SigningAuthority.cached(),
            at: signing,
        )
        .displayName("Example")
        .version("1.2", build: "34")
        .families(1, 2)
        .profile(profile())
        .editing { $0.app.hasIcon = false }
        .info("CFBundleIcons", icons)
        .resource(.file("AppIcon60x60@2x.png", icon))
        .resource(.text("notes.txt", "sealed"))
        .resource(.text("en.lproj/Localizable.strings", "\"a\" = \"b\";"))
    }

    /// The report on ``app(_:)``, computed once.
    static let report = Result { try app().report() }

    /// The app's profile as an unsigned property list.
    static func unsignedProfile() throws -> [UInt8] {
        profile().propertyList(
            for: ProfileBuilder.Subject(bundleIdentifier: "com.example.app"),
            by: try SigningAuthority.cached(),
        ).xml()
    }

    /// Small and drawn only once: drawing real icons takes longer than the rest of a build.
    static let icon = Raster.placeholder(name: "Example", seed: "x", side: 24).png()

    private static let icons = PropertyList.dictionary([
        "CFBundlePrimaryIcon": .dictionary([
            "CFBundleIconFiles": .array([.string("AppIcon60x60")])
        ])
    ])

    /// The findings of every good Ad Hoc build by a private authority.
    static let usual: Set = ["profile.private-authority", "profile.developer-mode"]

    static func anchors() throws -> TrustAnchors {
        .apple.adding([try SigningAuthority.cached().anchor])
    }
}

extension IPABuilder {
    func inspected(
        at date: Date = GoodBuild.now,
        trusting anchors: TrustAnchors? = nil,
    ) throws -> InspectedBuild {
        try InspectedBuild(reading: bytes(), at: date, trusting: anchors ?? GoodBuild.anchors())
    }

    func report(at date: Date = GoodBuild.now) throws -> InspectionReport {
        try inspected(at: date).report
    }

    /// The findings in addition to those of a good build signed by the test authority.
    func complaints(at date: Date = GoodBuild.now) throws -> [Finding] {
        try report(at: date).findings.filter { !GoodBuild.usual.contains($0.id) }
    }
}

extension InspectedBuild {
    /// Inspects an archive completely, as `ota validate` does.
    init(reading bytes: [UInt8], at date: Date, trusting anchors: TrustAnchors) throws {
        let archive = try ZipArchive(reading: MemorySource(bytes))
        let inspector = try Inspector(of: archive, trusting: anchors)
        try archive.verify(threads: 1, sink: inspector.sink)
        self = inspector.build(sha256: SHA256Digest(of: bytes), at: date)
    }
}
