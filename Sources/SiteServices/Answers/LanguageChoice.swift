import Identifiers
package import HTTPTypes
package import Hummingbird
package import Pages

/// The language of a visitor: the one that they chose at the foot of a page, or else the one that their
/// browser asks for.
///
/// The cookie holds nothing but the tag. It is no secret and identifies no one, so pages in memory answer
/// requests with it, and the plain port sets it too.
package enum LanguageChoice {
    private static let name = "language"
    /// Seconds that a choice is remembered.
    private static let lifetime = 365 * 86_400

    /// The choice that a `Cookie` field carries; nil for none, and for a language that there is not.
    package static func chosen(in field: String) -> Language? {
        for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
            let text = pair.drop { $0 == UInt8(ascii: " ") }
            guard text.starts(with: "\(name)=".utf8) else { continue }
            return Language(tag: Substring(text.dropFirst(name.utf8.count + 1)))
        }
        return nil
    }

    package static func language(of fields: HTTPFields) -> Language {
        for field in fields[values: .cookie] {
            if let chosen = chosen(in: field) { return chosen }
        }
        return .preferred(fields[values: .acceptLanguage].joined(separator: ","))
    }

    /// The field that remembers a choice, where `path` is the base URL's.
    package static func setting(_ language: Language, path: String) -> String {
        "\(name)=\(language.tag); Max-Age=\(lifetime); Path=\(path.isEmpty ? "/" : path); "
            + "HttpOnly; SameSite=Lax"
    }
}

extension SitePages {
    /// Longer paths are not come back to.
    private static let longestPath = 2048

    /// What surrounds a page for this visitor, in their language and with the switch.
    package func chrome(for request: Request) -> PageChrome {
        chrome.speaking(
            catalogues[LanguageChoice.language(of: request.headers)],
            switchingAt: languageURL,
            backTo: Self.returnPath(request.head.path ?? "/"),
        )
    }

    /// The path itself where a form may come back to it, and otherwise the start page.
    ///
    /// It names no device, and stays on this server: `//` and `/\\` would begin the name of another.
    package static func returnPath(_ path: String) -> String {
        let bytes = path.utf8
        let second = bytes.dropFirst().first
        guard bytes.count <= longestPath, bytes.first == UInt8(ascii: "/"),
            second != UInt8(ascii: "/"), second != UInt8(ascii: "\\"),
            bytes.allSatisfy({ (0x21...0x7e).contains($0) }), DeviceUDID.masked(in: path) == path
        else { return "/" }
        return path
    }
}
