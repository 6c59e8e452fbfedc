import Bundles
import Bytes
import CodeSignature
import Cryptography
import MachOFormat
import PropertyLists
import Sample
import Signing
import Zip

/// `app`: no program counts as intact that its signer did not sign.
///
/// The input is the files of an app; see ``PackedFiles``.
struct Apps: InputKind {
    static let name = "app"

    private let anchors: TrustAnchors
    /// The code hashes of the seeds' programs.
    private let genuine: Set<[UInt8]>

    init(trusting root: Certificate, seeds: [[UInt8]]) {
        let anchors = TrustAnchors.apple.adding([root])
        self.anchors = anchors
        genuine = Set(
            seeds.compactMap { Self.survey($0, anchors) }.flatMap(Self.intactCode)
        )
        promise(!genuine.isEmpty, "no seed is intact, so that nothing could be forged")
    }

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let info: PropertyList = .dictionary([
            "CFBundleExecutable": .string("A"), "CFBundleIdentifier": .string("com.a.b"),
            "CFBundlePackageType": .string("APPL"),
        ])
        let infoPlist = info.binary()
        let text = Array("text".utf8)
        let seal = CodeResources([
            "a.txt": .file(
                sha1: DigestAlgorithm.sha1.digest(of: text),
                sha256: DigestAlgorithm.sha256.digest(of: text),
            )
        ]).propertyList.binary()
        let program = try SmallProgram(
            signedBy: authority,
            infoPlist: infoPlist,
            codeResources: seal,
        )
        let profile = ProfileBuilder(.adHoc, devices: ["0"], created: SeedAuthority.date)
        let bytes = try profile.bytes(
            for: .init(bundleIdentifier: "com.a.b"),
            by: authority.sample,
        )
        return [
            "intact": PackedFiles.packing([
                (.info, infoPlist), (.program, program.bytes), (.seal, seal), (.text, text),
            ]),
            "nested": PackedFiles.packing([
                (.info, infoPlist), (.program, SmallProgram.unsigned32), (.profile, bytes),
                (.extensionInfo, infoPlist), (.extensionProgram, SmallProgram.unsigned32),
                (.library, SmallProgram.unsigned32), (.link, Array("a.txt".utf8)),
            ]),
        ]
    }

    func check(_ input: [UInt8]) {
        guard let signatures = Self.survey(input, anchors) else { return }
        for hash in Self.intactCode(of: signatures) {
            promise(genuine.contains(hash), "code passes for intact that nobody signed")
        }
        for bundle in signatures.everyBundle {
            for damage in bundle.seal?.damages ?? [] { _ = damage.path }
        }
        promise(
            !signatures.isIntact || signatures.everyBundle.allSatisfy { $0.executable != nil },
            "a bundle without a program is intact",
        )
    }

    /// Nil for an input that is not an app.
    private static func survey(_ input: [UInt8], _ anchors: TrustAnchors) -> BundleSignatures? {
        guard let bytes = PackedFiles(input).archive,
            let archive = accepted({ () throws(ZipRefusal) in
                try ZipArchive(reading: MemorySource(bytes))
            }),
            let app = accepted({ () throws(BundleRefusal) in try AppBundle(in: archive) })
        else { return nil }
        let survey = SignatureSurvey(of: app, in: archive, trusting: anchors)
        do throws(ZipRefusal) {
            try archive.verify(threads: 1, sink: survey.sink)
        } catch {
            stop("an archive of ours is refused: \(error)")
        }
        for bundle in app.everyBundle {
            _ = accepted { () throws(ProfileRefusal) in
                try bundle.profile?.judged(against: anchors, at: SeedAuthority.date)
            }
            _ = (bundle.info.wrongTypes, bundle.info.families, bundle.info.minimumOS)
        }
        return survey.signatures()
    }

    private static func intactCode(of signatures: BundleSignatures) -> [[UInt8]] {
        let programs = signatures.everyBundle.compactMap(\.executable) + signatures.looseCode
        return programs.flatMap(\.slices).compactMap(\.signature.evidence).filter(\.isIntact)
            .compactMap { $0.chosen?.codeHash }
    }
}
