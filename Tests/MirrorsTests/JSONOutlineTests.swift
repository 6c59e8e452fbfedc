import Foundation
import Mirrors
import TestSupport
import Testing

struct JSONOutlineTests {
    private static let whole = [
        "{}", "[]", " [ 1 , 2.5e-3, -0, 0.5, 1E+9 ] ", "\"\"", "\"a\\u00e9\\n\\\"\"", "null",
        "true",
        "{\"a\":[{},[],\"x\",false,null,{\"b\":{\"c\":-12.25}}],\"\":0}\n", "12", "-1e5",
    ]
    private static let broken = [
        "", " ", "{", "[", "[1,]", "{\"a\":}", "{\"a\"}", "{a:1}", "[1 2]", "01", "-", "1.", "1e",
        "1e+", "tru", "truex", "nul", "\"", "\"\\x\"", "\"\\u12g4\"", "\"\n\"", "{}}", "[]]", "[}",
        "{]", "{,}", "[,1]", "{\"a\":1,}", "{\"a\" 1}", "1 2", "+1", ".5", "--1", "{} {}", "\u{0}",
    ]

    private static func isWhole(_ bytes: [UInt8], pieces: Int = 1) -> Bool {
        var outline = JSONOutline()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            outline.update(bytes[start..<min(start + pieces, bytes.count)])
        }
        return outline.isWhole
    }

    @Test func `whole texts are known, in any pieces, and broken ones too`() {
        for text in Self.whole {
            for pieces in [1, 2, 3, 100] {
                #expect(Self.isWhole(Array(text.utf8), pieces: pieces), "\(text)")
            }
        }
        for text in Self.broken { #expect(!Self.isWhole(Array(text.utf8)), "\(text)") }
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(Self.isWhole(Array(deep.utf8)))
        #expect(!Self.isWhole(Array(("[" + deep + "]").utf8)), "no deeper than 512")
    }

    /// Only for ASCII, where the two check the same things.
    @Test func `it judges as Foundation does`() {
        let text = Array("{\"a\":[1,-2.5e3,true,{\"b\":null,\"c\":\"d\\n\\u0041\"}],\"e\":[]}".utf8)
        var count = 0
        for damaged in SeededDamage.flips(of: text, count: 20_000, seed: 62)
        where damaged.allSatisfy({ $0 < 0x80 && $0 != 0 }) {
            let data = Data(damaged)
            let options = JSONSerialization.ReadingOptions.fragmentsAllowed
            let isJSON = (try? JSONSerialization.jsonObject(with: data, options: options)) != nil
            guard isJSON != Self.isWhole(damaged) else { continue }
            // Foundation also refuses what it cannot represent: lone surrogates, numbers out of its range,
            // and duplicate names; the outline does not check these.
            guard isJSON || damaged.contains(UInt8(ascii: "u")) || Self.hasLargeNumber(damaged)
            else {
                count += 1
                Issue.record("\(String(decoding: damaged, as: UTF8.self)): \(isJSON)")
                continue
            }
        }
        #expect(count == 0)
    }

    private static func hasLargeNumber(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(/[eE][+-]?\d{3,}/)
    }
}
