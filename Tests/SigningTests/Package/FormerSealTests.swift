import Bytes
import Cryptography
import PropertyLists
import Sample
import Signing
import Testing
import Zip

/// For large files, the seal's SHA-1 is taken from the former seal, but only if that is correct.
@Suite struct FormerSealTests {
    private static let large = (0..<(1 << 20) + 77).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    private static let seal = "_CodeSignature/CodeResources"

    private static func app() throws -> IPABuilder {
        try Resigned.app()
            .resource(.file("large.bin", large))
            .resource(.text("small.txt", "small"))
            .resource(.text("other.txt", "other"))
    }

    /// Both digests of a file in the new seal.
    private static func digests(
        of name: String,
        in app: IPABuilder,
    ) throws -> (sha1: [UInt8]?, sha256: [UInt8]?) {
        let signed = try Resigned(app, try Resigned.profile("com.example.demo"))
        #expect(signed.blocking == [])
        let seal = try PropertyList(
            reading: signed.contents("Payload/Demo.app/_CodeSignature/CodeResources")
        )
        return (seal["files"]?[name]?.data, seal["files2"]?[name]?["hash2"]?.data)
    }

    /// Overwrites SHA-1 digests in the former seal.
    private static func forging(_ names: [String]) throws -> IPABuilder {
        try app().afterSigning { tree in
            let list = try PropertyList(reading: tree.bytes(of: Self.seal))
            var entries = list.dictionary ?? [:]
            var files = list["files"]?.dictionary ?? [:]
            for name in names { files[name] = .data([UInt8](repeating: 7, count: 20)) }
            entries["files"] = .dictionary(files)
            try tree.replace(Self.seal, with: PropertyList.dictionary(entries).xml())
        }
    }

    @Test func `a large file that stayed has the digests of its bytes`() throws {
        let found = try Self.digests(of: "large.bin", in: Self.app())
        #expect(found.sha1 == DigestAlgorithm.sha1.digest(of: Self.large))
        #expect(found.sha256 == DigestAlgorithm.sha256.digest(of: Self.large))
    }

    @Test func `a large file that changed since has the digests of its new bytes`() throws {
        let changed = Self.large.reversed() as [UInt8]
        let app = try Self.app().afterSigning { try $0.replace("large.bin", with: changed) }
        let found = try Self.digests(of: "large.bin", in: app)
        #expect(found.sha1 == DigestAlgorithm.sha1.digest(of: changed))
        #expect(found.sha256 == DigestAlgorithm.sha256.digest(of: changed))
    }

    @Test func `a seal that is wrong about a small file is believed about no large one`() throws {
        let app = try Self.forging(["small.txt", "large.bin"])
        let large = try Self.digests(of: "large.bin", in: app)
        #expect(large.sha1 == DigestAlgorithm.sha1.digest(of: Self.large))
        let small = try Self.digests(of: "small.txt", in: app)
        #expect(small.sha1 == DigestAlgorithm.sha1.digest(of: "small".utf8))
    }

    @Test(arguments: ["", "no property list", "<plist><dict/></plist>"])
    func `a seal that cannot be read is as good as none`(_ text: String) throws {
        let app = try Self.app().afterSigning { try $0.replace(Self.seal, with: Array(text.utf8)) }
        let found = try Self.digests(of: "large.bin", in: app)
        #expect(found.sha1 == DigestAlgorithm.sha1.digest(of: Self.large))
    }
}
