import Bundles
import Bytes
import CodeSignature
import Cryptography
import MachOFormat
import PropertyLists
import Sample
import Signing
import Zip

/// `signing`: a signed result can be read, has correct digests, and has the same code as before.
///
/// The first byte says whether the rest is a program or the files of an app; see ``PackedFiles``.
struct Signings: PlainInputKind {
    static let name = "signing"

    private let identity: SigningIdentity
    private let anchors: TrustAnchors
    /// A profile for any bundle identifier.
    private let profile: SigningProfile

    init() {
        do {
            // A new signer is created: the seeds' authority no longer has its private keys.
            let authority = try SeedAuthority().sample
            identity = authority.distribution
            anchors = TrustAnchors.apple.adding([authority.anchor])
            var profile = ProfileBuilder(.adHoc, devices: ["0"], created: SeedAuthority.date)
            profile.pattern = "*"
            self.profile = try SigningProfile(
                profile.bytes(for: .init(bundleIdentifier: "*"), by: authority),
                at: "any",
                trusting: anchors,
                date: SeedAuthority.date,
            )
        } catch {
            stop("the signer cannot be made: \(error)")
        }
    }

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let info: PropertyList = .dictionary([
            "CFBundleExecutable": .string("A"), "CFBundleIdentifier": .string("com.a.b"),
            "CFBundlePackageType": .string("APPL"),
        ])
        let program = LinkedProgram.unsigned
        let files: [(PackedFiles.Place, [UInt8])] = [
            (.info, info.binary()), (.program, program), (.text, Array("text".utf8)),
            (.link, Array("a.txt".utf8)),
        ]
        let nested: [(PackedFiles.Place, [UInt8])] = [
            (.extensionInfo, info.xml()), (.extensionProgram, program), (.library, program),
        ]
        return [
            "program": [0] + program,
            "signed": [0] + LinkedProgram.signed,
            "universal": [0] + LinkedProgram.universal,
            "app": [1] + PackedFiles.packing(files),
            "nested": [1] + PackedFiles.packing(files + nested),
        ]
    }

    func check(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let rest = Array(input.dropFirst())
        if first & 1 == 0 { check(program: rest) } else { check(app: rest) }
    }

    // MARK: One program

    private func check(program: [UInt8]) {
        let signer = ProgramSigner(identity: identity, at: SeedAuthority.date)
        let entitlements = PropertyList.dictionary(["get-task-allow": .boolean(false)])
        let seals = CodeSeals(
            identifier: "a",
            infoPlist: [1],
            codeResources: [2],
            entitlements: entitlements,
        )
        guard let once = sign(program, signer, seals) else { return }
        guard let file = try? MachOFile(reading: once) else {
            stop("what was signed cannot be read")
        }
        for slice in file.slices { check(slice, of: once) }
        // A signature takes as much space as the one that it replaces.
        let again = sign(once, signer, seals)
        promise(again?.count == once.count, "what was signed cannot be signed again alike")
        if let again {
            for slice in file.slices {
                guard let range = slice.signatureRange else { continue }
                let code = slice.range.lowerBound..<range.lowerBound
                promise(again[code] == once[code], "signing again changes code")
            }
        }
    }

    /// The signed file; nil if it is refused.
    private func sign(
        _ program: [UInt8],
        _ signer: ProgramSigner,
        _ seals: CodeSeals,
    ) -> [UInt8]? {
        let signed = accepted { () throws(SigningRefusal) in
            try signer.sign(program, named: "A", sealing: seals)
        }
        guard let signed else { return nil }
        var bytes: [UInt8] = []
        do {
            try unsafe signed.write(from: program) { unsafe bytes.append(contentsOf: $0) }
        } catch {
            stop("bytes in memory cannot be written: \(error)")
        }
        promise(bytes.count == signed.count, "a signed file has another size than it says")
        promise(
            DigestAlgorithm.sha256.digest(of: bytes) == signed.sha256
                && DigestAlgorithm.sha1.digest(of: bytes) == signed.sha1,
            "a signed file has other digests than it says",
        )
        return bytes
    }

    private func check(_ slice: BinarySlice, of file: [UInt8]) {
        guard let range = slice.signatureRange, range.upperBound == slice.range.upperBound else {
            stop("a signature is not the last of its slice")
        }
        guard let signature = try? slice.signature() else { stop("a signature is not readable") }
        promise(signature.faults.isEmpty, "a signature has \(signature.faults)")
        for directory in signature.directories {
            let limit = slice.range.lowerBound + Int(directory.codeLimit)
            promise(limit == range.lowerBound, "code without a digest")
            let algorithm: DigestAlgorithm = directory.hashSize == 20 ? .sha1 : .sha256
            for page in 0..<directory.pageCount {
                let start = slice.range.lowerBound + page * 4096
                let bytes = file[start..<min(start + 4096, limit)]
                promise(
                    directory.digest(ofPage: page).map(Array.init)
                        == algorithm.digest(of: Array(bytes)),
                    "a page has another digest",
                )
            }
        }
    }

    // MARK: An app

    private func check(app input: [UInt8]) {
        guard let bytes = PackedFiles(input).archive,
            let archive = accepted({ () throws(ZipRefusal) in
                try ZipArchive(reading: MemorySource(bytes))
            })
        else { return }
        let request = SigningRequest(
            identity: identity,
            profiles: [profile],
            trusting: anchors,
            at: SeedAuthority.date,
        )
        let plan = accepted { () throws(SigningRefusal) in
            try PackageSigner(archive, for: request).plan(threads: 1)
        }
        guard let plan else { return }
        let output = Output()
        do {
            try unsafe plan.write { unsafe output.bytes.append(contentsOf: $0) }
            let signed = try ZipArchive(reading: MemorySource(output.bytes))
            let app = try AppBundle(in: signed)
            let survey = SignatureSurvey(of: app, in: signed, trusting: anchors)
            try signed.verify(threads: 1, sink: survey.sink)
            let signatures = survey.signatures()
            let faults = Self.faults(of: signatures)
            promise(faults.isEmpty, "what was signed is not intact: \(faults)")
        } catch {
            stop("what was signed cannot be read: \(error)")
        }
    }

    /// The faults of an app, in words.
    ///
    /// The signer treats a file that is named like a library but cannot be loaded as a resource.
    private static func faults(of signatures: BundleSignatures) -> [String] {
        let seals = signatures.everyBundle.filter { !($0.seal?.isIntact ?? true) }
            .map { "\($0.path): \(String(describing: $0.seal))" }
        let programs = signatures.everyBundle.compactMap(\.executable) + signatures.looseCode
        let broken = programs.filter { Self.isLoaded($0) && !$0.isIntact }
            .map { String(String(describing: $0).prefix(4000)) }
        return seals + broken
    }

    private static func isLoaded(_ program: ExecutableEvidence) -> Bool {
        program.slices.contains {
            [.executable, .dynamicLibrary, .bundle].contains($0.fileType)
        }
    }

    private final class Output {
        var bytes: [UInt8] = []
    }
}
