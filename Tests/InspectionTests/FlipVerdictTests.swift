import Bundles
import Bytes
import Cryptography
import Foundation
import Identifiers
import Inspection
import MachOFormat
import Sample
import TestSupport
import Testing
import Zip

/// A single changed byte anywhere in an installable build: it cannot be installed any more, and the reason
/// names the place.
@Suite struct FlipVerdictTests {
    private static let build = Result { try Build() }

    private let device = DeviceFacts(
        udid: DeviceUDID(GoodBuild.devices[0]),
        family: .phone,
        os: OSVersion("17.4"),
    )

    @Test func `the build installs while it is whole`() throws {
        let build = try Self.build.get()
        let verdict = try build.report(nil).verdict(for: device, at: GoodBuild.now)
        #expect(verdict.verdict == .installs, "\(verdict.reasons)")
        #expect(build.files.count > 15)
    }

    @Test(arguments: TestDepth.seeds(3, long: 40))
    func `no flip is overlooked, and its place is named`(seed: UInt64) throws {
        let build = try Self.build.get()
        var generator = SeededGenerator(seed: seed)
        var count = 0
        let flips = TestDepth.samples(40, long: 250)
        while count < flips {
            let file = try #require(build.files.randomElement(using: &generator))
            let offset = Int.random(in: 0..<file.bytes.count, using: &generator)
            let change = UInt8.random(in: 1...255, using: &generator)
            guard !build.isUncovered(offset, in: file.path) else { continue }
            count += 1
            var bytes = file.bytes
            bytes[offset] ^= change
            let comment: Comment = "seed \(seed): \(file.path) at \(offset) xor \(change)"
            let reasons = try reasons(build, Build.File(path: file.path, bytes: bytes))
            #expect(!reasons.isEmpty, comment)
            #expect(
                reasons.contains { build.places(of: file.path).contains($0.place) },
                "\(comment): \(reasons.map { "\($0.id) \($0.place)" })",
            )
        }
    }

    @Test func `padding and PkgInfo change no verdict`() throws {
        let build = try Self.build.get()
        for (path, ranges) in build.uncovered {
            var bytes = try #require(build.files.first { $0.path == path }).bytes
            let last = try #require(ranges.last)
            bytes[last.upperBound - 1] ^= 1
            #expect(try reasons(build, Build.File(path: path, bytes: bytes)).isEmpty, "\(path)")
        }
    }

    private func reasons(_ build: Build, _ changed: Build.File) throws -> [Finding] {
        do {
            let report = try build.report(changed)
            AgreementTests.expectAgreement(in: report, "\(changed.path)")
            let verdict = report.verdict(for: device, at: GoodBuild.now)
            #expect((verdict.verdict == .blocked) == !verdict.reasons.isEmpty)
            return verdict.reasons
        } catch let refusal as UnreadableArchive {
            return refusal.findings
        }
    }
}

/// A good build whose files are passed to the inspector one by one, so that one can be replaced.
private struct Build {
    struct File {
        /// The path in the archive.
        let path: String
        let bytes: [UInt8]
    }

    private let tree: SampleTree
    private let archive: ZipArchive
    private let anchors: TrustAnchors
    /// The files that are not empty.
    let files: [File]
    /// The ranges that nothing covers, by path; changes there are for Apple's rules, not ours.
    ///
    /// PkgInfo, which seals leave out. In the app's own executable, which no seal names: the padding after
    /// the signature's blobs, the signature's length, which may include some of the padding, and in the
    /// signed message the root's certificate, which devices have themselves, and the version of the signer
    /// info, which no rule reads.
    let uncovered: [String: [Range<Int>]]

    init() throws {
        let tree = try Self.app().tree()
        self.tree = tree
        archive = try Self.archive(of: tree)
        anchors = try GoodBuild.anchors()
        files = tree.files.compactMap {
            guard case .bytes(let bytes) = $0.content, !bytes.isEmpty else { return nil }
            return File(path: $0.path, bytes: bytes)
        }
        let program = tree.executable
        let bytes = try tree.bytes(of: program)
        let signature = try tree.signatureRange(of: program)
        let message = try tree.blobRange(.message, of: program)
        let root = try SigningAuthority.cached().root.certificate.der
        let rootRange = try #require(bytes[message].firstRange(of: root))
        // INTEGER 1, then the SEQUENCE that identifies the signer.
        let block = try #require(bytes[message].ranges(of: [2, 1, 1, 0x30]).last)
        uncovered = [
            "\(tree.app)/PkgInfo": [0..<8],
            "\(tree.app)/\(program)": [
                signature.lowerBound + 4..<signature.lowerBound + 8,
                rootRange, block.lowerBound + 2..<block.lowerBound + 3,
                message.upperBound..<signature.upperBound,
            ],
        ]
    }

    private static func app() throws -> IPABuilder {
        let watch = BundleDraft.watchApplication(
            "Watch",
            identifier: "com.example.app.watch",
            companion: "com.example.app",
        )
        return try GoodBuild.app().nesting(.widget("W"), .framework("Kit"), watch)
            .nesting(.dynamicLibrary("libswiftOld")) {
                $0.adjustExecutable = { $0.information = Array("<plist/>".utf8) }
            }
            .editing { $0.app.hasIcon = false }
    }

    private static func archive(of tree: SampleTree) throws -> ZipArchive {
        let bytes = try ZipWriter.archive { zip in
            for file in tree.files {
                guard case .bytes(let bytes) = file.content else { continue }
                try zip.add(file.path, contents: bytes, mode: file.mode, method: .stored)
            }
        }
        return try ZipArchive(reading: MemorySource(bytes))
    }

    func isUncovered(_ offset: Int, in path: String) -> Bool {
        uncovered[path]?.contains { $0.contains(offset) } ?? false
    }

    /// The places that a finding about a file may name: the file, or for an Info.plist the bundle that it
    /// describes.
    func places(of path: String) -> [String] {
        guard path.hasSuffix("/Info.plist") else { return [path] }
        return [path, String(path.dropLast("/Info.plist".count))]
    }

    /// The report if one file differs from the signed one.
    func report(_ changed: File?) throws -> InspectionReport {
        var archive = archive
        // Files that are read before the archive is verified have to be changed in the archive.
        if let changed,
            ["Info.plist", "CodeResources", "embedded.mobileprovision"]
                .contains(where: changed.path.hasSuffix)
        {
            var tree = tree
            try tree.replace(
                String(changed.path.dropFirst(tree.app.count + 1)),
                with: changed.bytes,
            )
            archive = try Self.archive(of: tree)
        }
        let inspector = try Inspector(of: archive, trusting: anchors)
        let contents = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.bytes) })
        for entry in archive.entries {
            guard var sink = inspector.sink(for: entry) else { continue }
            let path = entry.path.text
            let bytes = changed?.path == path ? changed?.bytes : contents[path]
            unsafe (bytes ?? []).withUnsafeBytes { unsafe sink.take($0) }
            sink.finish()
        }
        return inspector.build(sha256: SHA256Digest(of: []), at: GoodBuild.now).report
    }
}
