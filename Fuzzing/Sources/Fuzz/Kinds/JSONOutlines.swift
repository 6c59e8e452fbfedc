import Foundation
import Mirrors

/// `json`: an outline accepts the same complete texts as Foundation, as far as Foundation follows RFC 8259,
/// in one piece or byte by byte.
struct JSONOutlines: PlainInputKind {
    static let name = "json"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            "{\"ref\":\"refs/tags/v1\",\"size\":[0,-1.5e+3,1E9],\"forced\":false,\"base\":null}",
            " [ \"\\u00e9\\\"\\\\\\/\\b\\f\\n\\r\\t\" , {} , [] ,true] ", "\"é\"", "-0.25e-1",
            String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
            String(repeating: "{\"a\":", count: 300) + "0" + String(repeating: "}", count: 300),
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        var outline = JSONOutline()
        outline.update(input)
        var parted = JSONOutline()
        for byte in input { parted.update(CollectionOfOne(byte)) }
        let isWhole = outline.isWhole
        promise(isWhole == parted.isWhole, "a text is whole in one piece alone")
        // An empty input leaks a page in Foundation.
        guard !input.isEmpty else { return promise(!isWhole, "nothing is a whole text") }
        let isRead = Self.isRead(input)
        promise(
            isWhole || !isRead || Self.isReadLoosely(input),
            "Foundation reads what is no whole text",
        )
        promise(
            isRead || !isWhole || Self.isBeyondFoundation(input),
            "Foundation does not read a whole text",
        )
    }

    private static func isRead(_ input: [UInt8]) -> Bool {
        let options = JSONSerialization.ReadingOptions.fragmentsAllowed
        return (try? JSONSerialization.jsonObject(with: Data(input), options: options)) != nil
    }

    /// Foundation also reads UTF-16 and UTF-32, and ignores a byte order mark and a trailing comma.
    private static func isReadLoosely(_ input: [UInt8]) -> Bool {
        input.prefix(4).contains(0)
            || [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]].contains(where: input.starts)
            || String(decoding: input, as: UTF8.self).contains(/,[ \t\r\n]*[\]}]/)
    }

    /// The outline does not check values: invalid UTF-8, lone surrogates, and numbers that Foundation cannot
    /// represent.
    private static func isBeyondFoundation(_ input: [UInt8]) -> Bool {
        guard String(validating: input, as: UTF8.self) != nil else { return true }
        let text = String(decoding: input, as: UTF8.self)
        return text.contains(/\\u[dD][89a-fA-F]/) || text.contains(/[eE][+-]?\d{3}|\d{100}/)
    }
}
