import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
struct RealPropertyListTests {
    @Test(arguments: Fixtures.items(ofKind: "infoplist"))
    func `a real Info.plist is read, and survives both forms`(item: Fixtures.Item) throws {
        try expectRead(try item.bytes(), limits: .infoPlist)
    }

    @Test(arguments: Fixtures.items(ofKind: "coderesources"))
    func `a real resource seal is read, and survives both forms`(item: Fixtures.Item) throws {
        let list = try expectRead(try item.bytes(), limits: .codeResources)
        #expect(list["files2"]?.dictionary != nil || list["files"]?.dictionary != nil)
    }

    /// A signed profile contains its property list as plain bytes.
    ///
    /// Some were edited by hand to contain text instead of certificates, which is not base64.
    @Test(arguments: Fixtures.items(ofKind: "profile"))
    func `the content of a real profile is read`(item: Fixtures.Item) throws {
        let bytes = Data(try item.bytes())
        guard let start = bytes.range(of: Data("<?xml".utf8)),
            let end = bytes.range(of: Data("</plist>".utf8), in: start.lowerBound..<bytes.endIndex)
        else { return }
        let content = Array(bytes[start.lowerBound..<end.upperBound])
        let placeholders = ["NOT_A_VALID_CERTIFICATE", "<data>SampleD"]
        if placeholders.contains(where: { Data(content).range(of: Data($0.utf8)) != nil }) {
            guard case .xml(_, _, "has data that is not base64") = refusal(of: content) else {
                Issue.record("a placeholder was taken for a certificate")
                return
            }
            return
        }
        let list = try expectRead(content, limits: .profile)
        #expect(list["UUID"]?.string != nil)
        #expect(list["ExpirationDate"]?.date != nil)
    }

    @discardableResult
    private func expectRead(
        _ bytes: [UInt8],
        limits: PropertyList.Limits,
    ) throws -> PropertyList {
        let list = try PropertyList(reading: bytes, limits: limits)
        let (fromXML, fromBinary) = (
            try PropertyList(reading: list.xml(), limits: limits),
            try PropertyList(reading: list.binary(), limits: limits),
        )
        #expect(fromXML.xml() == list.xml())
        #expect(fromBinary.xml() == list.xml())
        let foundation = try unsafe PropertyListSerialization.propertyList(
            from: Data(list.binary()),
            format: nil,
        )
        let original = try unsafe PropertyListSerialization.propertyList(
            from: Data(bytes),
            format: nil,
        )
        let same = try data(foundation) == data(original)
        #expect(same, "Foundation reads the original and the rewritten list alike")
        return list
    }

    private func data(_ object: Any) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
    }
}
