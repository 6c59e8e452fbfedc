import Bytes
import Inspection
import PropertyLists
import Sample
import Testing

/// Files next to the app, and how the archive was made.
@Suite struct ArchiveRuleTests {
    private static let place = "iTunesMetadata.plist"

    private static func complaints(besides file: [UInt8]) throws -> [String: Severity] {
        let complaints = try GoodBuild.app().afterSigning { $0.addOutside(.file(place, file)) }
            .complaints()
        #expect(complaints.allSatisfy { $0.place == place })
        return Dictionary(complaints.map { ($0.id, $0.severity) }) { max($0, $1) }
    }

    private static func metadata(_ entries: [String: PropertyList]) -> [UInt8] {
        PropertyList.dictionary(entries).xml()
    }

    @Test func `metadata of the store that cannot be read blocks`() throws {
        let expected = ["archive.store-metadata-invalid": Severity.blocks]
        #expect(try Self.complaints(besides: Array("nonsense".utf8)) == expected)
        #expect(try Self.complaints(besides: PropertyList.array([]).xml()) == expected)
    }

    @Test(arguments: [
        ["softwareVersionBundleId": "com.example.other"], ["bundleVersion": "33"],
        ["bundleShortVersionString": "1.1", "bundleVersion": "34"],
    ])
    func `metadata of another app or version is suspicious`(entries: [String: String]) throws {
        #expect(
            try Self.complaints(besides: Self.metadata(entries.mapValues(PropertyList.string)))
                == ["archive.store-metadata-differs": .warns]
        )
    }

    @Test func `metadata of this app is none of anybody's business`() throws {
        let own = Self.metadata([
            "softwareVersionBundleId": .string("com.example.app"),
            "bundleShortVersionString": .string("1.2"), "bundleVersion": .string("34"),
            "itemName": .string("Example"),
        ])
        #expect(try Self.complaints(besides: own) == [:])
    }

    @Test func `an archive without any file modes is said once`() throws {
        var bytes = try GoodBuild.app().nesting(.widget("Widget")).bytes()
        let header: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
        for offset in bytes.indices.dropLast(46)
        where bytes[offset] == header[0] && Array(bytes[offset..<offset + 4]) == header {
            // As if made on FAT, which has no modes.
            bytes[offset + 5] = 0
            bytes.replaceSubrange(offset + 38..<offset + 42, with: [0, 0, 0, 0])
        }
        let report = try InspectedBuild(
            reading: bytes,
            at: GoodBuild.now,
            trusting: GoodBuild.anchors(),
        ).report
        #expect(
            report.findings.filter { !GoodBuild.usual.contains($0.id) }.map(\.id)
                == ["archive.modes-missing"]
        )
    }
}
