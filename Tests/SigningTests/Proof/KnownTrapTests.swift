import Bytes
import Cryptography
import Foundation
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing
import Zip

/// Known bugs of other signers, as reported by their users, reproduced and checked by independent code.
@Suite(.enabled(if: SignatureCheck.isPresent, "python3 or openssl is not on this machine"))
struct KnownTrapTests {
    @Test
    func `DER entitlements are sorted by bytes at every depth, and numbers take no spare byte`()
        async throws
    {
        let claims: [String: PropertyList] = [
            "com.example.Zebra": .boolean(true), "com.example.apple": .integer(128),
            "com.example.\u{e9}": .integer(255), "com.example.f": .integer(65_536),
            "com.example.long": .string(String(repeating: "x", count: 300)),
            "com.example.none": .array([]),
            "com.example.some": .array([.string("b"), .string("a")]),
            "com.example.tree": .dictionary([
                "b": .dictionary(["z": .integer(0), "A": .boolean(false)]), "B": .array([]),
            ]),
        ]
        var request = try SigningRoom.request([SigningRoom.profile(granting: claims)])
        request.entitlements = .dictionary(claims)
        try await SigningRoom.prove(SigningRoom.app().bytes(), for: request)
    }

    @Test(arguments: [ProfileBuilder.Kind.adHoc, .development])
    func `ALLOW_UNSIGNED goes by what get-task-allow says, not by its being there`(
        _ kind: ProfileBuilder.Kind
    ) async throws {
        let team = DevelopmentTeam.sample
        let identity =
            kind == .development
            ? try SigningRoom.identity(
                named: "Apple Development: \(team.name) (\(team.identifier))",
                of: team,
                marks: [AppleExtension.development, AppleExtension.universalDevelopment],
            ) : try SigningRoom.identity()
        let request = try SigningRoom.request(
            [SigningRoom.profile(SigningRoom.bundleIdentifier, kind, to: identity)],
            by: identity,
        )
        let files = try await SigningRoom.prove(SigningRoom.app().bytes(), for: request)
        // The field execSegFlags of the CodeDirectory.
        let program = try files.bytes("Example")
        let magic: [UInt8] = [0xfa, 0xde, 0x0c, 0x02]
        let directory = try #require(program.firstRange(of: magic)).lowerBound
        #expect(program[directory + 87] == (kind == .development ? 0x11 : 1))
    }

    @Test func `both hash lists name both CodeDirectories where there are two`() async throws {
        let app = try SigningRoom.app().minimumOS("9.0")
            .editing { $0.app.architectures = [.armv7, .arm64] }
        let request = try SigningRoom.request([SigningRoom.profile()])
        let files = try await SigningRoom.prove(app.bytes(), for: request)
        let magic: [UInt8] = [0xfa, 0xde, 0x0c, 0x02]
        #expect(try files.bytes("Example").ranges(of: magic).count == 4)
    }

    @Test func `an old CodeDirectory without DER entitlements becomes one that iOS 15 reads`()
        async throws
    {
        let app = try SigningRoom.app().signing {
            $0.version = 0x20200
            $0.hashes = [.sha1, .sha256]
            $0.includesDEREntitlements = false
        }
        try await SigningRoom.prove(
            app.bytes(),
            for: SigningRoom.request([SigningRoom.profile()]),
        )
    }

    @Test func `each extension has its own profile, and one that has none is named`() async throws {
        let app = try SigningRoom.app().nesting(.widget("One"), .shareExtension("Two"))
        let names = ["", ".One", ".Two"].map { SigningRoom.bundleIdentifier + $0 }
        let profiles = try names.map { try SigningRoom.profile($0) }
        let files = try await SigningRoom.prove(
            app.bytes(),
            for: SigningRoom.request(profiles.reversed()),
        )
        for (path, profile) in zip(["", "PlugIns/One.appex/", "PlugIns/Two.appex/"], profiles) {
            #expect(try files.bytes("\(path)embedded.mobileprovision") == profile)
        }
        for index in profiles.indices {
            var less = profiles
            less.remove(at: index)
            let refusal = #expect(throws: SigningRefusal.self) {
                try SigningRoom.sign(app.bytes(), for: SigningRoom.request(less))
            }
            #expect(refusal?.id == "signing.profile-missing")
            #expect("\(try #require(refusal))".contains(names[index]))
        }
    }

    @Test
    func `the stub of an old watch app stays Apple's, and a watch app without a program is named`()
        async throws
    {
        let watch = "\(SigningRoom.bundleIdentifier).watchkitapp"
        var stub = BundleDraft.watchStub(
            "Stub",
            identifier: watch,
            companion: SigningRoom.bundleIdentifier,
        )
        let apples = try MachOBuilder(.executable, named: "WK", architecture: .arm64_32)
            .slice(reservingSignature: 0).bytes
        stub.resources.removeAll()
        stub.resources.append(.file("_WatchKitStub/WK", apples, mode: 0o755))
        let profiles = try ["", ".watchkitapp", ".watchkitapp.watchkitextension"].map {
            try SigningRoom.profile(SigningRoom.bundleIdentifier + $0)
        }
        let request = try SigningRoom.request(profiles)
        let files = try await SigningRoom.prove(
            SigningRoom.app().nesting(stub).bytes(),
            for: request,
        )
        #expect(try files.bytes("Watch/Stub.app/_WatchKitStub/WK") == apples)
        stub.hasExecutable = false
        let hollow = try SigningRoom.app().nesting(stub).bytes()
        let refusal = #expect(throws: SigningRefusal.self) {
            try SigningRoom.sign(hollow, for: request)
        }
        #expect(
            refusal?.id == "signing.executable-missing" || refusal?.id.hasPrefix("bundle.") == true
        )
        #expect(refusal.map { "\($0) \($0.place)".contains("Stub.app") } == true)
    }

    @Test func `storyboards and resource bundles without an identifier are resources`() async throws
    {
        let plain = PropertyList.dictionary(["UIViewControllerIdentifiers": .dictionary([:])])
        let named = PropertyList.dictionary([
            "CFBundleExecutable": .string("missing"), "CFBundlePackageType": .string("BNDL"),
        ])
        let app = try SigningRoom.app()
            .resource(.file("Base.lproj/Main.storyboardc/Info.plist", plain.binary()))
            .resource(.text("Base.lproj/Main.storyboardc/view.nib", "nib"))
            .resource(.file("Things.bundle/Info.plist", plain.xml()))
            .resource(.file("Others.bundle/Info.plist", named.xml()))
            .resource(.text("Bare.bundle/data", "data"))
            .resource(.file("Fonts.framework/Info.plist", plain.xml()))
            .resource(.text("Templates/Empty.app/readme", "no app"))
        try await SigningRoom.prove(
            app.bytes(),
            for: SigningRoom.request([SigningRoom.profile()]),
        )
    }

    @Test func `rules hold by the path from the bundle, and a nested bundle's own seal is a file`()
        async throws
    {
        var kit = BundleDraft.framework("Kit")
        kit.resources = [
            .text("en.lproj/a.strings", "a"), .text("de.lproj/locversion.plist", "b"),
            .text(".DS_Store", "c"), .text("version.plist", "d"), .text("A.dSYM/Contents/a", "e"),
        ]
        let app = try SigningRoom.app().nesting(kit)
            .resource(.text("de.lproj/locversion.plist", "b"))
            .resource(.text("below/.DS_Store", "c"))
            .resource(.text("below/Info.plist", "d"))
            .resource(.text("below/PkgInfo", "e"))
            .resource(.text("Base.lproj/a.strings", "f"))
            .resource(.text("version.plist", "g"))
        let files = try await SigningRoom.prove(
            app.bytes(),
            for: SigningRoom.request([SigningRoom.profile()]),
        )
        let seal = try PropertyList(reading: files.bytes("_CodeSignature/CodeResources"))
        let sealed = seal["files2"]?.dictionary?.keys.map { $0 } ?? []
        #expect(sealed.contains("Frameworks/Kit.framework/_CodeSignature/CodeResources"))
        #expect(sealed.contains("Frameworks/Kit.framework/Info.plist"))
        #expect(!sealed.contains("Frameworks/Kit.framework/.DS_Store"))
        #expect(!sealed.contains("Info.plist") && sealed.contains("below/Info.plist"))
    }

    @Test func `what was added and removed after the old seal is in the new one`() async throws {
        let app = try SigningRoom.app().nesting(.framework("Kit")).afterSigning { tree in
            tree.add(.text("added.txt", "new"))
            tree.add(.text("Frameworks/Kit.framework/added.txt", "new"))
            try tree.remove("notes.txt")
            try tree.replace("en.lproj/Localizable.strings", with: Array("other".utf8))
        }
        try await SigningRoom.prove(
            app.bytes(),
            for: SigningRoom.request([SigningRoom.profile()]),
        )
    }

    @Test func `what Keychain Access exports, encrypted with RC2, signs`() async throws {
        let identity = try SigningRoom.identity()
        let bytes = try await withTemporaryFolder { folder in
            try Data(identity.pem.utf8).write(to: folder.appending(path: "identity.pem"))
            let outcome = try await Program(path: "/usr/bin/openssl").run(
                [
                    "pkcs12", "-export", "-legacy", "-in", "identity.pem", "-out", "identity.p12",
                    "-passout", "pass:päss", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe",
                    "PBE-SHA1-3DES", "-macalg", "sha1",
                ],
                in: folder,
            )
            try #require(outcome.status == 0, "\(outcome.errors)")
            return try [UInt8](Data(contentsOf: folder.appending(path: "identity.p12")))
        }
        let exported = try #require(
            try IdentityFile(reading: bytes, passphrase: "päss").identities.first
        )
        #expect(exported.certificate == identity.certificate)
        try await SigningRoom.prove(
            SigningRoom.app().bytes(),
            for: SigningRoom.request([SigningRoom.profile()], by: exported),
        )
    }

    @Test func `each slice of a universal file is signed by itself`() async throws {
        var kit = BundleDraft.framework("Kit")
        kit.architectures = [.arm64, .arm64e]
        let app = try SigningRoom.app().minimumOS("12.0").nesting(kit)
            .editing { $0.app.architectures = [.armv7, .arm64, .arm64e] }
        for isSigned in [true, false] {
            let build = app.signing { $0.isSigned = isSigned }
            try await SigningRoom.prove(
                build.bytes(),
                for: SigningRoom.request([SigningRoom.profile()]),
            )
        }
    }

    @Test func `libraries are signed wherever they lie`() async throws {
        func library(_ path: String, _ architecture: Architecture = .arm64) throws -> SampleFile {
            var builder = MachOBuilder(.dynamicLibrary, named: path, architecture: architecture)
            builder.installName = "@rpath/lib.dylib"
            return .file(path, try builder.slice(reservingSignature: 0).bytes, mode: 0o755)
        }
        let info = PropertyList.dictionary([
            "CFBundleExecutable": .string("Deep"),
            "CFBundleIdentifier": .string("com.example.deep"),
            "CFBundlePackageType": .string("FMWK"), "CFBundleShortVersionString": .string("1"),
            "CFBundleVersion": .string("1"),
        ])
        let app = try SigningRoom.app()
            .resource(library("libroot.dylib"))
            .resource(library("Frameworks/libone.dylib"))
            .resource(library("PlugIns/libtwo.dylib"))
            .resource(library("Things.bundle/libthree.dylib"))
            .resource(library("Things.bundle/noextension"))
            .resource(library("Things.bundle/Inner.bundle/Deep.framework/Deep"))
            .resource(.file("Things.bundle/Inner.bundle/Deep.framework/Info.plist", info.xml()))
        try await SigningRoom.prove(
            app.bytes(),
            for: SigningRoom.request([SigningRoom.profile()]),
        )
    }

    @Test func `symbolic links inside a framework are sealed by their targets and stay links`()
        async throws
    {
        var kit = BundleDraft.framework("Kit")
        kit.resources = [
            .text("Versions/A/data", "data"), .symbolicLink("Versions/Current", to: "A"),
            .symbolicLink("data", to: "Versions/Current/data"),
        ]
        let app = try SigningRoom.app().nesting(kit)
        let files = try await SigningRoom.prove(
            app.bytes(),
            for: SigningRoom.request([SigningRoom.profile()]),
        )
        #expect(try files.entry("Frameworks/Kit.framework/Versions/Current").kind == .symbolicLink)
        #expect(
            try files.bytes("Frameworks/Kit.framework/data") == Array("Versions/Current/data".utf8)
        )
    }

    @Test(arguments: ["*", "com.example.*"])
    func `a wildcard profile gives each bundle an identifier of its own`(
        _ pattern: String
    ) async throws {
        let app = try SigningRoom.app().nesting(.widget("One"))
        let profile = try SigningRoom.profile(pattern: pattern)
        let files = try await SigningRoom.prove(app.bytes(), for: SigningRoom.request([profile]))
        let program = try files.bytes("PlugIns/One.appex/One")
        let own = "\(DevelopmentTeam.sample.identifier).com.example.app.One"
        #expect(program.firstRange(of: Array("<string>\(own)</string>".utf8)) != nil)
        #expect(
            program.firstRange(
                of: Array("<string>\(DevelopmentTeam.sample.identifier).\(pattern)".utf8)
            ) == nil
        )
    }

    @Test func `nothing that a profile grants is signed unless the build claims it`() async throws {
        let group = PropertyList.array([.string("group.com.example.app")])
        let profile = try SigningRoom.profile(granting: [
            "com.apple.developer.healthkit": .boolean(true),
            "com.apple.security.application-groups": group,
            "aps-environment": .string("production"),
        ])
        let app = try SigningRoom.app().entitlement("com.apple.security.application-groups", group)
        let plan = try SigningRoom.plan(app.bytes(), for: SigningRoom.request([profile]))
        #expect(
            plan.bundles.first?.entitlements?.kept.keys.sorted() == [
                "application-identifier", "com.apple.developer.team-identifier",
                "com.apple.security.application-groups", "get-task-allow",
            ]
        )
        try await SigningRoom.prove(app.bytes(), for: SigningRoom.request([profile]))
    }

    @Test func `a wildcard of keychain groups becomes the app's own group`() async throws {
        let team = DevelopmentTeam.sample.identifier
        let app = try SigningRoom.app().entitlement(
            "keychain-access-groups",
            .array([.string("\(team).*"), .string("\(team).com.example.shared")]),
        )
        let request = try SigningRoom.request([SigningRoom.profile()])
        let plan = try SigningRoom.plan(app.bytes(), for: request)
        #expect(
            plan.bundles.first?.entitlements?.kept["keychain-access-groups"]?.strings
                == ["\(team).com.example.app", "\(team).com.example.shared"]
        )
        try await SigningRoom.prove(app.bytes(), for: request)
    }

    @Test func `what is claimed and not granted is refused with its name`() throws {
        let app = try SigningRoom.app()
            .entitlement("com.apple.developer.web-browser", .boolean(true))
        let refusal = #expect(throws: SigningRefusal.self) {
            try SigningRoom.sign(app.bytes(), for: SigningRoom.request([SigningRoom.profile()]))
        }
        #expect(refusal?.id == "signing.entitlement-not-granted")
        #expect("\(try #require(refusal))".contains("com.apple.developer.web-browser"))
    }

    @Test func `a shorter signature leaves nothing of a longer one behind it`() async throws {
        let app = try SigningRoom.app().signing { $0.hashes = [.sha1, .sha256] }
        let before = try app.bytes()
        let files = try await SigningRoom.prove(
            before,
            for: SigningRoom.request([SigningRoom.profile()]),
        )
        #expect(try files.entry("Example").size < SignedFiles(before).entry("Example").size)
    }

    @Test func `a build of another team is signed for this one`() async throws {
        let other = try SigningAuthority(
            team: .other,
            validFrom: SigningRoom.date.addingDays(-300),
        )
        let groups = PropertyList.array([.string("OTHERTEAM9.com.example.shared")])
        let app = try SigningRoom.app().editing { $0.authority = other }
            .entitlement("keychain-access-groups", groups)
        let request = try SigningRoom.request([SigningRoom.profile()])
        let plan = try SigningRoom.plan(app.bytes(), for: request)
        #expect(
            plan.bundles.first?.entitlements?.kept["keychain-access-groups"]?.strings
                == ["\(DevelopmentTeam.sample.identifier).com.example.shared"]
        )
        try await SigningRoom.prove(app.bytes(), for: request)
    }
}
