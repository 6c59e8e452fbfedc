import Bundles
import Bytes
import Cryptography
import Foundation
import Images
import Inspection
import PropertyLists
import Zip

/// One bundle of a test's IPA.
struct TestBundle {
    /// Below the bundle around it: `PlugIns/Widget.appex`.
    var path: String
    var info: [String: PropertyList]?
    /// Nil leaves the executable out.
    var executableMode: UInt16? = 0o755
    var profile: TestProfile?
    var files: [String: [UInt8]] = [:]
    var nested: [TestBundle] = []

    /// An app that nothing is wrong with.
    static func application(_ identifier: String = "com.example.app") throws -> TestBundle {
        var bundle = TestBundle(path: "Payload/Example.app", info: base(identifier, "APPL"))
        bundle.info?["CFBundleDisplayName"] = .string("Example")
        bundle.info?["UIDeviceFamily"] = .array([.integer(1), .integer(2)])
        bundle.info?["CFBundleSupportedPlatforms"] = .array([.string("iPhoneOS")])
        bundle.info?["DTPlatformName"] = .string("iphoneos")
        bundle.info?["CFBundleIcons"] = .dictionary([
            "CFBundlePrimaryIcon": .dictionary([
                "CFBundleIconFiles": .array([.string("AppIcon60x60")])
            ])
        ])
        bundle.files["AppIcon60x60@2x.png"] = icon
        bundle.profile = try TestProfile(for: identifier)
        return bundle
    }

    static func widget(_ identifier: String = "com.example.app.widget") throws -> TestBundle {
        var bundle = TestBundle(path: "PlugIns/Widget.appex", info: base(identifier, "XPC!"))
        bundle.info?["NSExtension"] = .dictionary([
            "NSExtensionPointIdentifier": .string("com.apple.widgetkit-extension")
        ])
        bundle.profile = try TestProfile(for: identifier, name: "Test Widget")
        return bundle
    }

    static func watch(_ identifier: String = "com.example.app.watch") throws -> TestBundle {
        var bundle = TestBundle(path: "Watch/Watch.app", info: base(identifier, "APPL"))
        bundle.info?["WKCompanionAppBundleIdentifier"] = .string("com.example.app")
        bundle.info?["UIDeviceFamily"] = .array([.integer(4)])
        bundle.profile = try TestProfile(for: identifier, name: "Test Watch")
        return bundle
    }

    private static let icon = Raster.placeholder(name: "Example", seed: "x", side: 24).png()

    private static func base(_ identifier: String, _ type: String) -> [String: PropertyList] {
        [
            "CFBundleIdentifier": .string(identifier),
            "CFBundleExecutable": .string("Run"),
            "CFBundlePackageType": .string(type),
            "CFBundleShortVersionString": .string("1.2"),
            "CFBundleVersion": .string("34"),
            "MinimumOSVersion": .string("15.0"),
        ]
    }

    func write(to zip: inout ZipWriter, below folder: String = "") throws {
        let path = folder + path
        try zip.addDirectory(path)
        if let info {
            try zip.add("\(path)/Info.plist", contents: PropertyList.dictionary(info).xml())
        }
        if let executableMode {
            try zip.add("\(path)/Run", contents: Array("code".utf8), mode: executableMode)
        }
        if let profile {
            try zip.add("\(path)/embedded.mobileprovision", contents: profile.bytes())
        }
        for (name, contents) in files.sorted(by: { $0.key < $1.key }) {
            try zip.add("\(path)/\(name)", contents: contents)
        }
        for bundle in nested { try bundle.write(to: &zip, below: path + "/") }
    }
}

/// An IPA that installs, until a test changes something.
struct TestBuild {
    var application: TestBundle

    init(_ change: (inout TestBundle) throws -> Void = { _ in }) throws {
        application = try TestBundle.application()
        try change(&application)
    }

    func bytes() throws -> [UInt8] {
        try ZipWriter.archive { zip in
            try zip.addDirectory("Payload")
            try application.write(to: &zip)
        }
    }

    func inspected(at date: Date = TestAuthority.now) throws -> InspectedBuild {
        let bytes = try bytes()
        let inspector = Inspector(anchors: try TestAuthority.shared.get().anchors)
        return try inspector.inspect(
            ZipArchive(reading: MemorySource(bytes)),
            sha256: SHA256Digest(of: bytes),
            at: date,
        )
    }

    func report(at date: Date = TestAuthority.now) throws -> InspectionReport {
        try inspected(at: date).report
    }

    /// The findings beyond those of a good build signed by the test authority.
    func complaints(at date: Date = TestAuthority.now) throws -> [Finding] {
        try report(at: date).findings.filter { !Self.usual.contains($0.id) }
    }

    /// What a good Ad Hoc build of a private authority has.
    static let usual: Set = ["profile.private-authority", "profile.developer-mode"]
}

extension TestBundle {
    /// Sets or, with nil, removes a key of Info.plist.
    mutating func set(_ key: String, _ value: PropertyList?) { info?[key] = value }

    /// Changes the first nested bundle.
    mutating func nest(
        _ bundle: TestBundle,
        _ change: (inout TestBundle) throws -> Void = { _ in },
    ) throws {
        var bundle = bundle
        try change(&bundle)
        nested.append(bundle)
    }
}
