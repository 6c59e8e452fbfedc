import Bytes
package import HTTPServing
package import Pages

extension CachePolicy {
    /// The policy for this site's responses.
    ///
    /// Pages, manifests, icons and assets are the same for every client that sends none of our cookies;
    /// pages also depend on the language, and an app's pages on the kind of device.
    package static let pages = CachePolicy(
        isPersonal: { SiteCookie.isAny(in: $0) },
        // The installer carries no cookies: what its paths return is the same for everyone.
        isForEverybody: { $0.hasPrefix("/install/") },
        dependsOnAgent: { $0.hasPrefix("/apps/") && !isHistory($0) },
        variant: { ResponseVariant(Visitor(userAgent: $0)) },
        dependsOnLanguage: { $0 == "/" || $0.hasPrefix("/apps/") },
        chosenLanguage: { LanguageChoice.chosen(in: $0)?.tag },
        language: { Language.preferred($0).tag },
        // Parts of an upload change nothing until it is completed, which is a request to another path.
        isChange: { target in
            target.hasBytes(first: "/admin/")
                || target.hasBytes(first: "/api/") && !target.hasBytes(first: "/api/v1/uploads/")
        },
    )

    /// Returns whether a target is a list of versions, which is the same for all devices.
    private static func isHistory(_ target: String) -> Bool {
        target.utf8.prefix { $0 != UInt8(ascii: "?") }.suffix(8).elementsEqual("/history".utf8)
    }
}

extension ResponseVariant {
    /// Creates the variant of a page for such a visitor; nil for a page that is the same for all.
    package init(_ visitor: Visitor?, in language: Language? = nil) {
        self.init(visitor.map { "\($0)" } ?? "", language: language?.tag ?? "")
    }
}
