import Bundles
import Bytes
import CodeSignature
import Cryptography
import Foundation
import MachOFormat
import Sample
import TestSupport
import Testing
import Zip

/// A single changed byte anywhere in what a signature covers is detected.
@Suite struct FlipTests {
    private static let tree = Result {
        try Surveying.plain().nesting(.widget("W"), .framework("K")).tree()
    }

    /// Files that no signature covers according to Apple's rules.
    private static let uncovered = ["PkgInfo"]

    @Test(arguments: TestDepth.seeds(3, long: 40))
    func `a flip of any byte is noticed, and where it was made`(seed: UInt64) throws {
        let tree = try Self.tree.get()
        let files = tree.files.filter { file in
            if case .bytes(let bytes) = file.content, !bytes.isEmpty {
                return !Self.uncovered.contains(String(file.path.dropFirst(tree.app.count + 1)))
            }
            return false
        }
        // Files that decide what is checked need the complete survey, and get fewer samples.
        let others = files.filter { !Self.decides($0.path) }
        let messages = try Self.messages(in: tree)
        let rehearsal = try Rehearsal(tree)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<TestDepth.samples(60, long: 260) {
            let isAny = Int.random(in: 0..<3, using: &generator) == 0
            let file = try #require((isAny ? files : others).randomElement(using: &generator))
            let path = String(file.path.dropFirst(tree.app.count + 1))
            let offset = Int.random(in: 0..<file.content.count, using: &generator)
            // A message contains certificates that its verification does not need.
            if path == tree.executable, messages[path]?.contains(offset) == true { continue }
            let change = UInt8.random(in: 1...255, using: &generator)
            var damaged = tree
            try damaged.edit(path) { $0[offset] ^= change }
            let comment: Comment = "seed \(seed): \(path) at \(offset) xor \(change)"
            let found =
                Self.decides(path)
                ? try Self.signatures(of: damaged, comment)
                : rehearsal.signatures(with: try damaged.bytes(of: path), at: file.path)
            guard let signatures = found else {
                #expect(path == "Info.plist", comment)
                continue
            }
            #expect(!signatures.isIntact, comment)
            try Self.expectPlace(of: path, offset, in: signatures, comment)
        }
    }

    private static func decides(_ path: String) -> Bool {
        path.hasSuffix("Info.plist") || path.hasSuffix("CodeResources")
    }

    private static func expectPlace(
        of path: String,
        _ offset: Int,
        in signatures: BundleSignatures,
        _ comment: Comment,
    ) throws {
        let seal = try #require(signatures.seal, comment)
        switch path {
        case "Demo":
            #expect(signatures.executable?.isIntact == false, comment)
            #expect(seal.isIntact, comment)
            // The first page says where the signature is, or that there are slices at all.
            guard offset >= 4096 else { return }
            let slice = try #require(signatures.executable?.slices.first, comment)
            guard let signature = slice.signatureRange, offset < signature.lowerBound else {
                return
            }
            let chosen = try #require(slice.signature.evidence?.chosen, comment)
            #expect(chosen.pages.mismatches.map(\.page) == [offset / 4096], comment)
        case "Info.plist", "_CodeSignature/CodeResources":
            let number = path == "Info.plist" ? 1 : 3
            guard let chosen = signatures.executable?.slices.first?.signature.evidence?.chosen
            else {
                #expect(signatures.executable == nil, comment)
                return
            }
            #expect(
                chosen.slots.filter { $0.state != .matches }.map(\.number) == [number],
                comment,
            )
        default:
            let whole = signatures.path / RelativePath(path)
            #expect(seal.damages.map(\.path) == [whole], comment)
            #expect(seal.damages.map(\.kind) == [.modified], comment)
            #expect(signatures.executable?.isIntact == true, comment)
        }
    }

    /// The complete survey, for files that decide what is checked; nil if the app's Info.plist cannot be
    /// read.
    private static func signatures(
        of tree: SampleTree,
        _ comment: Comment,
    ) throws -> BundleSignatures? {
        do {
            return try Surveying.signatures(of: packed(tree), threads: 1)
        } catch is BundleRefusal {
            return nil
        }
    }

    private static func packed(_ tree: SampleTree) throws -> [UInt8] {
        try ZipWriter.archive { zip in
            for file in tree.files {
                guard case .bytes(let bytes) = file.content else { continue }
                try zip.add(file.path, contents: bytes, mode: file.mode, method: .stored)
            }
        }
    }

    /// The intact app, whose entries are passed on with one file's bytes changed.
    private struct Rehearsal {
        let archive: ZipArchive
        let application: AppBundle
        let anchors: TrustAnchors
        let contents: [String: [UInt8]]

        init(_ tree: SampleTree) throws {
            archive = try ZipArchive(reading: MemorySource(FlipTests.packed(tree)))
            application = try AppBundle(in: archive)
            anchors = .apple.adding([try SigningAuthority.cached().anchor])
            var contents: [String: [UInt8]] = [:]
            for file in tree.files { contents[file.path] = file.content.bytes }
            self.contents = contents
        }

        func signatures(with bytes: [UInt8], at path: String) -> BundleSignatures {
            let survey = SignatureSurvey(of: application, in: archive, trusting: anchors)
            for entry in archive.entries {
                guard var sink = survey.sink(for: entry) else { continue }
                let name = entry.path.text
                let bytes = name == path ? bytes : contents[name] ?? []
                unsafe bytes.withUnsafeBytes { unsafe sink.take($0) }
                sink.finish()
            }
            return survey.signatures()
        }
    }

    /// The offsets of the signed message in the app's executable.
    private static func messages(in tree: SampleTree) throws -> [String: Range<Int>] {
        let file = try MachOFile(reading: try tree.bytes(of: tree.executable))
        let slice = try #require(file.slices.first)
        let signature = try #require(try slice.signature())
        let start = try #require(slice.signatureRange?.lowerBound)
        let blob = try #require(signature.blobs.first { $0.slot == .message })
        return [
            tree.executable: start + blob.range.lowerBound..<start + blob.range.upperBound
        ]
    }
}
