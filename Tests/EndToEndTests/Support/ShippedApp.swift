import Foundation
import PropertyLists
import Sample

/// An app that a Mac builds unsigned, and the content of its repository: a project, its pipeline from
/// `docs/ci/pipelines`, and the entitlements with which the server signs.
struct ShippedApp: Sendable {
    /// A bundle with its own profile.
    struct Part: Sendable {
        let identifier: String
        var claims: [String: PropertyList] = [:]
        /// The repository's file with the bundle's entitlements.
        var file: String?
    }

    let mirror: String
    /// The repository's name; SimBridge has two apps in one.
    let repository: String
    let pipeline: String
    let scheme: String
    /// The argument of `ota sample --app`.
    let sample: String
    /// An Xcode project folder, or `project.yml` if XcodeGen generates it.
    let project: String
    /// The bundles, the app itself first.
    let parts: [Part]
    /// The prefix of its tags, in a repository with several apps.
    var prefix = ""
    /// Whether it can be installed only on iPads.
    var isForPads = false

    static let all = [browsey, pare, browserSelector, client, host, forks]

    static let browsey = ShippedApp(
        mirror: "browsey",
        repository: "browsey",
        pipeline: "apps/browsey.yml",
        scheme: "Browsey",
        sample: "browsey",
        project: "Browsey.xcodeproj",
        parts: [Part(identifier: "com.vforsh.browsey", file: "Browsey/Browsey.entitlements")],
    )

    static let pare = ShippedApp(
        mirror: "pare",
        repository: "pare",
        pipeline: "apps/pare.yml",
        scheme: "Pare",
        sample: "pare",
        project: "project.yml",
        parts: [
            Part(
                identifier: "com.OptimusCashLLC.pare",
                claims: [
                    "aps-environment": .string("production"),
                    "com.apple.developer.associated-domains": .array([
                        .string("applinks:pare.example")
                    ]),
                ],
                file: "Pare/Pare.entitlements",
            )
        ],
    )

    static let browserSelector = ShippedApp(
        mirror: "browser-selector",
        repository: "browser-selector",
        pipeline: "apps/browser-selector.yml",
        scheme: "BrowserSelector",
        sample: "browser-selector",
        project: "ios/BrowserSelector.xcodeproj",
        parts: [
            Part(
                identifier: "com.example.BrowserSelector",
                claims: ["com.apple.developer.web-browser": .boolean(true)],
                file: "ios/BrowserSelector/BrowserSelector.entitlements",
            )
        ],
    )

    private static let siblings: [String: PropertyList] = [
        "com.apple.security.application-groups": .array([.string("group.com.example.simbridge")])
    ]

    static let client = ShippedApp(
        mirror: "simbridge-client",
        repository: "simbridge",
        pipeline: "apps/simbridge-client.yml",
        scheme: "SimBridgeClient",
        sample: "simbridge-client",
        project: "client/SimBridgeClient.xcodeproj",
        parts: [
            Part(
                identifier: "com.example.simbridge.client",
                claims: siblings.merging(["aps-environment": .string("production")]) { $1 },
                file: "client/SimBridgeClient.entitlements",
            )
        ],
        prefix: "client/",
    )

    static let host = ShippedApp(
        mirror: "simbridge-host",
        repository: "simbridge",
        pipeline: "apps/simbridge-host.yml",
        scheme: "SimBridgeHost",
        sample: "simbridge-host",
        project: "host/SimBridgeHost.xcodeproj",
        parts: [
            Part(
                identifier: "com.example.simbridge.host",
                claims: siblings,
                file: "host/SimBridgeHost.entitlements",
            )
        ],
        prefix: "host/",
        isForPads: true,
    )

    static let forks = ShippedApp(
        mirror: "forks",
        repository: "forks",
        pipeline: "apps/forks.yml",
        scheme: "Forks",
        sample: "forks",
        project: "Forks.xcworkspace",
        parts: SignedBuildTests.parts.map { part in
            let folder = part.suffix.isEmpty ? "Forks" : String(part.suffix.dropFirst())
            return Part(
                identifier: SignedBuildTests.forks + part.suffix,
                claims: part.entitlements,
                file: part.entitlements.isEmpty ? nil : "\(folder)/\(folder).entitlements",
            )
        },
    )

    var identifier: String { parts[0].identifier }

    var tag: String { prefix + "v1.2.3" }

    var pipelinePath: String { prefix + ".ota/pipeline.yml" }

    /// The app's files in the repository, by their paths.
    func files() throws -> [String: String] {
        var files = [pipelinePath: try RecipeRoom.recipes.text("pipelines/" + pipeline)]
        if project.hasSuffix(".yml") {
            // The version on the command line overrides that of the project.
            files[project] = "name: \(scheme)\nMARKETING_VERSION: 0.0.1\n"
        } else {
            let isWorkspace = project.hasSuffix(".xcworkspace")
            let file = isWorkspace ? "contents.xcworkspacedata" : "project.pbxproj"
            files["\(project)/\(file)"] = "MARKETING_VERSION = 0.0.1;\n"
        }
        for part in parts {
            guard let file = part.file else { continue }
            let claims = PropertyList.dictionary(part.claims).xml()
            files[file] = String(decoding: claims, as: UTF8.self)
        }
        return files
    }

    /// Writes the profile of each bundle, for one device; returns the file names.
    func writeProfiles(by authority: SigningAuthority, to folder: URL) throws -> [String] {
        try parts.map { part in
            let file = "\(part.identifier).mobileprovision"
            let created = Date().addingTimeInterval(-60)
            let bytes = try ProfileBuilder(.adHoc, devices: [SampleDevices.one], created: created)
                .bytes(
                    for: .init(bundleIdentifier: part.identifier, entitlements: part.claims),
                    by: authority,
                )
            try Data(bytes).write(to: folder.appending(path: file))
            return file
        }
    }
}
