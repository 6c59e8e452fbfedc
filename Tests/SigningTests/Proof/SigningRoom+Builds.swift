import Bytes
import Cryptography
import Essentials
import Foundation
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing
import Zip

extension SigningRoom {
    static let bundleIdentifier = "com.example.app"

    /// An app that was signed a month ago with another certificate of the team.
    static func app(named name: String = "Example") throws -> IPABuilder {
        try IPABuilder(
            name,
            identifier: bundleIdentifier,
            by: before(),
            at: date.addingDays(-30),
        )
        .displayName("Example")
        .version("1.2", build: "34")
        .families(1, 2)
        .editing { $0.app.hasIcon = false }
        .info("CFBundleIcons", ProofIcon.keys)
        .resource(.file("AppIcon60x60@2x.png", ProofIcon.png))
        .resource(.text("notes.txt", "sealed"))
        .resource(.text("en.lproj/Localizable.strings", "\"a\" = \"b\";"))
    }

    /// A profile for ``identity()`` that grants the given entitlements.
    static func profile(
        _ identifier: String = bundleIdentifier,
        _ kind: ProfileBuilder.Kind = .adHoc,
        granting entitlements: [String: PropertyList] = [:],
        to identity: SigningIdentity? = nil,
        pattern: String? = nil,
    ) throws -> [UInt8] {
        var profile = ProfileBuilder(
            kind,
            devices: [SampleDevices.one],
            created: date.addingDays(-30),
        )
        profile.certificates = [try identity ?? self.identity()].map(\.certificate)
        profile.pattern = pattern
        return try profile.bytes(
            for: ProfileBuilder.Subject(
                bundleIdentifier: identifier,
                entitlements: entitlements,
            ),
            by: authority(),
        )
    }

    /// Signs a build and checks the result with `ota`'s own inspection and with independent code.
    ///
    /// - Parameters:
    ///   - original: the archive before signing.
    ///   - request: profiles and identity with which it is signed.
    ///   - options: options of `check_signature.py` in addition to `--current`.
    ///   - sourceLocation: location of the test.
    /// - Returns: the signed files.
    /// - Throws: the errors of signing.
    @discardableResult
    static func prove(
        _ original: [UInt8],
        for request: SigningRequest,
        _ options: [String] = ["--at", "2026-01-15"],
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> SignedFiles {
        let signed = try sign(original, for: request)
        let obstacles = try report(on: signed, at: request.date).obstacles
        #expect(obstacles == [], sourceLocation: sourceLocation)
        try await withTemporaryFolder { folder in
            try Data(original).write(to: folder.appending(path: "before.ipa"))
            try Data(signed).write(to: folder.appending(path: "after.ipa"))
            let root = try authority().anchor.pem
            try Data(root.utf8).write(to: folder.appending(path: "root.pem"))
            let found = try await SignatureCheck.results(
                of: ["after.ipa"],
                from: ["before.ipa"],
                ["--current", "--anchor", "root.pem"] + options,
                in: folder,
            )
            let problems = found.flatMap(\.problems).map(\.description)
            #expect(problems == [], sourceLocation: sourceLocation)
        }
        return try SignedFiles(signed)
    }
}

/// The files of a signed archive, by their paths in the app.
struct SignedFiles {
    let archive: ZipArchive
    private let app: String

    init(_ bytes: [UInt8]) throws {
        archive = try ZipArchive(reading: MemorySource(bytes))
        let info = try #require(
            archive.entries.filter { $0.path.text.hasSuffix(".app/Info.plist") }
                .min { $0.path.bytes.count < $1.path.bytes.count }
        )
        app = String(info.path.text.dropLast("/Info.plist".count))
    }

    func entry(_ path: String) throws -> ZipEntry {
        try #require(archive[RelativePath("\(app)/\(path)")], "\(path)")
    }

    func bytes(_ path: String) throws -> [UInt8] {
        let entry = try entry(path)
        return try archive.contents(of: entry, atMost: entry.size)
    }
}
