import PropertyLists
import TestSupport
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: UInt64(1)...200)
    func `what is written is read back`(seed: UInt64) throws {
        var trees = SeededTree(seed: seed)
        let tree = trees.tree()
        #expect(try PropertyList(reading: tree.xml()) == tree)
        #expect(try PropertyList(reading: tree.binary()) == tree)
    }

    @Test(arguments: UInt64(1)...20)
    func `what was read is written as the same bytes`(seed: UInt64) throws {
        var trees = SeededTree(seed: seed)
        let tree = trees.tree()
        let (xml, binary) = (tree.xml(), tree.binary())
        #expect(try PropertyList(reading: binary).xml() == xml)
        #expect(try PropertyList(reading: xml).binary() == binary)
    }

    @Test(arguments: UInt64(1)...4)
    func `no prefix is read`(seed: UInt64) {
        let tree = sample(seed)
        let binary = tree.binary()
        for prefix in SeededDamage.prefixes(of: binary) { #expect(refusal(of: prefix) != nil) }
        for prefix in SeededDamage.prefixes(of: tree.xml().dropLast()) {
            #expect(refusal(of: prefix) != nil)
        }
    }

    /// A changed byte may result in another valid document; it must not crash the reader, and what is read
    /// must be writable.
    @Test(arguments: UInt64(1)...4)
    func `damage is refused or read as something that can be written`(seed: UInt64) throws {
        let tree = sample(seed)
        for bytes in [tree.binary(), tree.xml()] {
            for damaged in SeededDamage.flips(of: bytes, count: 1_500, seed: seed) {
                guard let read = try? PropertyList(reading: damaged) else { continue }
                let binary = read.binary()
                #expect(try PropertyList(reading: binary).binary() == binary)
                #expect(refusal(of: read.xml()) == nil)
            }
        }
    }

    /// A value of every kind, and a few random ones.
    private func sample(_ seed: UInt64) -> PropertyList {
        var trees = SeededTree(seed: seed)
        return .dictionary([
            "text": .string("a & b 🚀"), "wide": .unsigned(.max), "real": .real(0.1),
            "data": .data(Array(0...40)), "uid": .uid(300), "flag": .boolean(true),
            "list": .array([trees.tree(depth: 1), trees.tree(depth: 1), .array([])]),
        ])
    }
}
