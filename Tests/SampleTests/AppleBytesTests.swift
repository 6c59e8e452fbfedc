import Bytes
import Cryptography
import Foundation
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing
import Zip

/// Parts of a real Xcode 26 build, reproduced by this project's writers from the same data.
@Suite(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
struct AppleBytesTests {
    private static let app = "Payload/SmallestAppExample.app"
    private static let bundles = [app, "\(app)/PlugIns/ShareExtension.appex"]

    private static func archive() throws -> ZipArchive {
        let item = try #require(
            Fixtures.all.first { $0.path.hasSuffix("SmallestAppExample.ipa") }
        )
        return try ZipArchive(reading: FileSource(path: item.url.path()))
    }

    private static func file(_ path: String) throws -> [UInt8] {
        let archive = try archive()
        return try archive.contents(of: try #require(archive[RelativePath(path)]), atMost: 1 << 24)
    }

    private static func signature(in bundle: String) throws -> EmbeddedSignature {
        let name = try #require(bundle.split(separator: "/").last?.split(separator: ".").first)
        return try #require(try EmbeddedSignature(of: try file("\(bundle)/\(name)")))
    }

    @Test(arguments: bundles)
    func `our CodeDirectory over Apple's code is Apple's CodeDirectory`(bundle: String) throws {
        let signature = try Self.signature(in: bundle)
        let theirs = try signature.directory()
        var builder = CodeDirectoryBuilder(identifier: theirs.identifier, team: theirs.team)
        builder.executableSegmentSize = Int(theirs.executableSegment?.limit ?? 0)
        builder.executableSegmentFlags = theirs.executableSegment?.flags ?? 0
        builder.specialSlots = [
            1: try Self.file("\(bundle)/Info.plist"),
            3: try Self.file("\(bundle)/_CodeSignature/CodeResources"),
        ]
        for slot in [2, 5, 7] as [UInt32] {
            builder.specialSlots[Int(slot)] = signature.blobs[slot]
        }
        #expect(builder.blob(over: signature.code) == theirs.bytes)
    }

    @Test(arguments: bundles)
    func `our DER entitlements are Apple's, byte for byte`(bundle: String) throws {
        let signature = try Self.signature(in: bundle)
        let xml = try #require(signature.blobs[5]).dropFirst(8)
        let list = try PropertyList(reading: Array(xml))
        let der = try #require(signature.blobs[7]).dropFirst(8)
        #expect(try EntitlementsDER.encoding(list) == Array(der))
        #expect(list.xml() == Array(xml))
    }

    @Test(arguments: bundles)
    func `our requirement is Apple's, byte for byte`(bundle: String) throws {
        let signature = try Self.signature(in: bundle)
        let message = Array(try #require(signature.blobs[0x10000]).dropFirst(8))
        let leaf = try #require(
            try SignedMessage(reading: message).certificates.first { !$0.isAuthority }
        )
        let requirement = DesignatedRequirement(
            identifier: try signature.directory().identifier,
            signerName: leaf.subject.commonName ?? "",
        )
        #expect(requirement.blob == signature.blobs[2])
    }

    @Test(arguments: bundles)
    func `our seal over Apple's files is Apple's seal`(bundle: String) throws {
        let archive = try Self.archive()
        let name = try #require(bundle.split(separator: "/").last?.split(separator: ".").first)
        var files: [RelativePath: CodeResources.Sealed] = [:]
        for entry in archive.entries where entry.kind == .file {
            guard let path = entry.path.relative(to: RelativePath(bundle)),
                path != RelativePath(name), !path.isBelow("_CodeSignature")
            else { continue }
            let bytes = try archive.contents(of: entry, atMost: 1 << 24)
            files[path] = .file(
                sha1: DigestAlgorithm.sha1.digest(of: bytes),
                sha256: DigestAlgorithm.sha256.digest(of: bytes),
            )
        }
        let theirs = try Self.file("\(bundle)/_CodeSignature/CodeResources")
        #expect(CodeResources(files).propertyList.xml() == theirs)
    }
}
