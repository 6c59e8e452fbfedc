import Bytes
package import HTTPServing
package import Pages

extension CachePolicy {
    /// Pages, manifests, icons and assets are the same for every client that sends none of our
    /// cookies; pages also depend on the language, and those of an app on the kind of device.
    package static let pages = CachePolicy(
        isPersonal: { SiteCookie.isAny(in: $0) },
        // The installer carries no cookies: what its paths return is the same for everyone.
        isForEverybody: { $0.hasPrefix("/install/") },
        dependsOnAgent: { $0.hasPrefix("/apps/") && !isHistory($0) },
        variant: { ResponseVariant(Visitor(userAgent: $0)) },
        dependsOnLanguage: { $0 == "/" || $0.hasPrefix("/apps/") },
        chosenLanguage: { LanguageChoice.chosen(in: $0)?.tag },
        language: { Language.preferred($0).tag },
        // Pieces of an upload change nothing before the last one, which is sent to another address.
        isChange: { target in
            target.hasBytes(first: "/admin/")
                || target.hasBytes(first: "/api/") && !target.hasBytes(first: "/api/v1/uploads/")
        },
    )

    /// Whether a target is a list of versions, which shows all devices the same.
    private static func isHistory(_ target: String) -> Bool {
        target.utf8.prefix { $0 != UInt8(ascii: "?") }.suffix(8).elementsEqual("/history".utf8)
    }
}

extension ResponseVariant {
    /// What a page shows to such a visitor; nil for a page that shows all the same.
    package init(_ visitor: Visitor?, in language: Language? = nil) {
        self.init(visitor.map { "\($0)" } ?? "", language: language?.tag ?? "")
    }
}
