import Cryptography
import Essentials
import PropertyLists
import Sample
import Signing
import TestSupport
import Zip

/// A pseudorandom app: nesting, kinds, names, links, modes, and the form of its archive.
///
/// Everything in it is small, and its only defect is that it is unsigned, or signed by another team.
struct SeededBuild {
    let seed: UInt64
    /// Whether it already has signatures, from ``SigningRoom/before()``.
    let isSigned: Bool
    private(set) var app: BundleDraft
    /// Every bundle that needs a profile of its own, each identifier once.
    private(set) var profiled: [BundleDraft] = []
    let packing: ZipWriter.Options
    private var generator: SeededGenerator
    private var count = 0

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.seed = seed
        isSigned = Bool.random(in: 3, using: &generator)
        packing = ZipWriter.Options(
            dataDescriptors: Bool.random(using: &generator),
            forceZip64: Int.random(in: 0..<8, using: &generator) == 0,
        )
        app = BundleDraft(.application, named: "", identifier: "com.example.seed\(seed)")
        self.generator = generator
        app.name = name()
        app.displayName = "Seed \(seed)"
        app.version = "1.\(seed % 7)"
        app.build = "\(seed)"
        app.families = [1, 2]
        app.minimumOS = pick(["9.0", "12.0", "15.0", "17.0"])
        app.architectures = pick([[.arm64], [.arm64], [.arm64, .arm64e], [.armv7, .arm64]])
        app.hasIcon = false
        app.info["CFBundleIcons"] = ProofIcon.keys
        app.resources.append(.file("AppIcon60x60@2x.png", ProofIcon.png))
        if chance(of: 3) {
            app.entitlements["com.apple.security.application-groups"] =
                .array([.string("group.com.example.seed")])
        }
        if chance(of: 4) { app.entitlements["aps-environment"] = .string("production") }
        var app = app
        fill(&app, depth: 1)
        self.app = app
    }

    /// The build before it is signed, or re-signed.
    func original() throws -> [UInt8] {
        let date = SigningRoom.date.addingDays(-30)
        var builder = IPABuilder(app, by: try SigningRoom.before(), at: date)
        builder.packing = packing
        builder.profile = ProfileBuilder(.adHoc, devices: [SampleDevices.one], created: date)
        let seed = seed
        return try builder.afterSigning { try Self.scatter(&$0, seed: seed) }.bytes()
    }

    /// The signer's input: a profile for each bundle that needs one.
    func request() throws -> SigningRequest {
        let authority = try SigningRoom.authority()
        let identity = try SigningRoom.identity()
        let profiles = try profiled.map { draft in
            var profile = ProfileBuilder(
                .adHoc,
                devices: [SampleDevices.one],
                created: SigningRoom.date.addingDays(-30),
            )
            profile.certificates = [identity.certificate]
            return try profile.bytes(
                for: ProfileBuilder.Subject(
                    bundleIdentifier: draft.identifier ?? "",
                    entitlements: draft.entitlements.compactMapValues(\.self),
                ),
                by: authority,
            )
        }
        var request = try SigningRoom.request(profiles, by: identity)
        guard !isSigned else { return request }
        for draft in profiled where !draft.entitlements.isEmpty {
            request.nestedEntitlements[draft.identifier ?? ""] =
                .dictionary(draft.entitlements.compactMapValues(\.self))
        }
        return request
    }
}

extension SeededBuild {
    /// Adds files that Xcode does not make from targets, but phones accept.
    private static func scatter(_ tree: inout SampleTree, seed: UInt64) throws {
        var generator = SeededGenerator(seed: ~seed)
        func slice(_ name: String) throws -> [UInt8] {
            var builder = MachOBuilder(.dynamicLibrary, named: name, minimumOS: "15.0")
            builder.installName = "@rpath/\(name).dylib"
            return try builder.slice(reservingSignature: 0).bytes
        }
        for place in ["liboutside", "PlugIns/libodd", "Things.bundle/libinside"]
        where Int.random(in: 0..<10, using: &generator) == 0 {
            tree.add(.file("\(place).dylib", try slice(place), mode: 0o755))
        }
        if Int.random(in: 0..<6, using: &generator) == 0 {
            tree.addOutside(.text("Symbols/A.symbols", "symbols"))
            let metadata = PropertyList.dictionary(["itemName": .string("Seed")])
            tree.addOutside(.file("iTunesMetadata.plist", metadata.xml()))
        }
    }

    private mutating func fill(_ draft: inout BundleDraft, depth: Int) {
        draft.infoForm = chance(of: 3) ? .xml : .binary
        draft.signing.isSigned = isSigned
        draft.hasProfile = isSigned && draft.kind.carriesEntitlements
        draft.resources += resources(of: draft)
        guard depth <= 3 else { return remember(draft) }
        var takesWatch = draft.kind == .application
        for _ in 0..<Int.random(in: 0...(depth == 1 ? 4 : 2), using: &generator) {
            guard var nested = nested(in: draft, takesWatch: &takesWatch) else { continue }
            fill(&nested, depth: depth + 1)
            draft.nested.append(nested)
        }
        // The extension in a watch app stub has not been filled yet.
        for index in draft.nested.indices
        where draft.nested[index].identifier?.hasSuffix("kitextension") == true {
            draft.nested[index].signing.isSigned = isSigned
            draft.nested[index].hasProfile = isSigned
            remember(draft.nested[index])
        }
        remember(draft)
    }

    private mutating func remember(_ draft: BundleDraft) {
        guard draft.kind.carriesEntitlements, draft.identifier?.isEmpty == false else { return }
        guard !profiled.contains(where: { $0.identifier == draft.identifier }) else { return }
        profiled.append(draft)
    }

    private mutating func nested(
        in host: BundleDraft,
        takesWatch: inout Bool,
    ) -> BundleDraft? {
        count += 1
        let name = "\(name()) \(count)"
        let identifier = "\(host.identifier ?? "").n\(count)"
        var draft: BundleDraft
        switch (host.kind, Int.random(in: 0..<6, using: &generator)) {
        case (.application, 0) where takesWatch, (.application, 1) where takesWatch:
            takesWatch = false
            let make = chance(of: 2) ? BundleDraft.watchApplication : BundleDraft.watchStub
            return make(name, "\(host.identifier ?? "").watchkitapp", host.identifier ?? "")
        case (.application, 2):
            draft = .appClip(name, identifier: identifier)
            draft.hasIcon = false
            draft.entitlements["com.apple.developer.parent-application-identifiers"] =
                .array([.string("\(DevelopmentTeam.sample.identifier).\(host.identifier ?? "")")])
            draft.info["CFBundleIcons"] = ProofIcon.keys
            draft.resources.append(.file("AppIcon60x60@2x.png", ProofIcon.png))
        case (.application, _), (.appClip, 0...2), (.watchApplication, 0...2):
            if chance(of: 2) { fallthrough }
            draft = chance(of: 2) ? .widget(name) : .shareExtension(name)
            if host.kind == .watchApplication { draft = .widget(name) }
        case (_, 0...2): draft = .dynamicLibrary("lib\(count)")
        default: draft = .framework(name)
        }
        if draft.kind != .dynamicLibrary { draft.identifier = identifier }
        draft.architectures = host.architectures
        return draft
    }

    private mutating func resources(of draft: BundleDraft) -> [SampleFile] {
        guard draft.kind != .dynamicLibrary else { return [] }
        var files = Self.files.shuffled(using: &generator)
            .prefix(Int.random(in: 0...6, using: &generator))
            .map { path in
                let size = Int.random(in: 0...80, using: &generator)
                let mode = pick([0o644, 0o600, 0o444, 0o755, 0o664] as [UInt16])
                return SampleFile.file(path, Noise(seed: path).bytes(size), mode: mode)
            }
        if let target = files.first?.path, chance(of: 3) {
            let up = String(repeating: "../", count: 1)
            files.append(.symbolicLink("Links/current", to: up + target))
        }
        return files
    }

    /// Names that some signer, archiver or file system once got wrong.
    private static let files = [
        "notes.txt", "with space.txt", "Ünï.txt", "cafe\u{301}.txt", "😀 👩‍👩‍👧.dat", "日本/ファイル.txt",
        "en.lproj/Localizable.strings", "de.lproj/locversion.plist", "nested/fr.lproj/a.strings",
        "Base.lproj/Main.storyboardc/Info.plist", "Base.lproj/Main.storyboardc/view.nib",
        "A.dSYM/Contents/a", ".hidden", ".DS_Store", "below/.DS_Store", "version.plist",
        "below/Info.plist", "below/PkgInfo", "quote' & <tag>.txt", "Settings.bundle/Root.plist",
        "Settings.bundle/en.lproj/Root.strings", "Things.bundle/Info.plist", "percent%20.txt",
        "Things.bundle/Inner.bundle/data", "semi;colon.txt", "x.sinf", "README", "a+b.txt",
    ]

    private static let names = [
        "Plain", "Two Words", "Größe", "Cafe\u{301}", "🦊 Fox", "日本語", "O'Neil & Co", "a.b",
    ]

    private mutating func name() -> String { pick(Self.names) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }

    private mutating func chance(of count: Int) -> Bool {
        Int.random(in: 0..<count, using: &generator) == 0
    }
}

extension Bool {
    /// Returns true except in one of `count` cases.
    fileprivate static func random(in count: Int, using generator: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<count, using: &generator) != 0
    }
}
