import Foundation
import PropertyLists
import Testing

/// Comparison with Foundation, only for well-formed documents and those that this code wrote.
@Suite struct FoundationTests {
    @Test(arguments: UInt64(1)...60)
    func `Foundation reads what is written here`(seed: UInt64) throws {
        var trees = SeededTree(seed: seed, isPlain: true)
        let tree = trees.tree()
        let expected = try Self.data(of: Self.object(tree), .xml)
        for bytes in [tree.xml(), tree.binary()] {
            let read = try unsafe PropertyListSerialization.propertyList(
                from: Data(bytes),
                format: nil,
            )
            #expect(try Self.data(of: read, .xml) == expected)
        }
    }

    @Test(arguments: UInt64(1)...60)
    func `what Foundation writes is read here`(seed: UInt64) throws {
        var trees = SeededTree(seed: seed, isPlain: true)
        let tree = trees.tree()
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try Self.data(of: Self.object(tree), format)
            #expect(try PropertyList(reading: data) == tree)
        }
    }

    private static func data(
        of object: Any,
        _ format: PropertyListSerialization.PropertyListFormat,
    ) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
    }

    private static func object(_ tree: PropertyList) -> Any {
        switch tree {
        case .string(let text): text
        case .integer(let number): number
        case .unsigned(let number), .uid(let number): number
        case .real(let number): number
        case .boolean(let flag): flag
        case .date(let date): date
        case .data(let bytes): Data(bytes)
        case .array(let elements): elements.map(object)
        case .dictionary(let pairs): pairs.mapValues(object)
        }
    }
}
