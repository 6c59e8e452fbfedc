import Identifiers
package import HTTPTypes
package import Hummingbird
package import Pages

/// The language of a visitor: the one that they chose in a page's footer, or else the one that their
/// browser requests.
///
/// The cookie contains only the language tag. It is not secret and identifies no one, so cached pages
/// answer requests that send it, and the plain port sets it too.
package enum LanguageChoice {
    private static let name = "language"
    /// Seconds for which a choice is remembered.
    private static let lifetime = 365 * 86_400

    /// Returns the choice in a `Cookie` field; nil if there is none or the language does not exist.
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

    /// Returns the `Set-Cookie` value that remembers a choice; `path` is the base URL's.
    package static func setting(_ language: Language, path: String) -> String {
        "\(name)=\(language.tag); Max-Age=\(lifetime); Path=\(path.isEmpty ? "/" : path); "
            + "HttpOnly; SameSite=Lax"
    }
}

extension SitePages {
    /// The longest path in bytes to which a form returns.
    private static let longestPath = 2048

    /// Returns the chrome of a page for this visitor, in their language and with the language switch.
    package func chrome(for request: Request) -> PageChrome {
        chrome.speaking(
            catalogues[LanguageChoice.language(of: request.headers)],
            switchingAt: languageURL,
            backTo: Self.returnPath(request.head.path ?? "/"),
        )
    }

    /// Returns the path if a form may return to it, and otherwise that of the start page.
    ///
    /// The path must not contain a device's UDID, and must stay on this server: `//` and `/\` would start
    /// the name of another host.
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
