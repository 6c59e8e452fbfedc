import Releases

/// The page to open after signing in: a path of the admin pages, never another site.
struct ReturnPath: Equatable, Sendable {
    static let limit = 512

    let text: String

    /// - Returns: nil for anything but a plain path of the admin pages.
    init?(_ text: String, links: AdminLinks) {
        guard text.utf8.count <= Self.limit,
            text == links.root || text.hasPrefix(links.root + "/")
                || text.hasPrefix(links.root + "?"),
            text.utf8.allSatisfy(Self.isPlain), !text.contains("//"), !text.contains(".."),
            !text.lowercased().contains("%2e"), !text.lowercased().contains("%2f"),
            !text.hasPrefix(links.signIn), !text.hasPrefix(links.signOut)
        else { return nil }
        self.text = text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~/%?=&+".utf8.contains(byte)
        }
    }
}
