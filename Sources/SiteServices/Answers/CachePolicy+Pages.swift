package import HTTPServing
package import Pages

extension CachePolicy {
    /// Pages, manifests, icons and assets are the same for every client that sends none of our
    /// cookies; the pages of an app also depend on the kind of device.
    package static let pages = CachePolicy(
        isPersonal: { SiteCookie.isAny(in: $0) },
        // The installer carries no cookies: what its paths return is the same for everyone.
        isForEverybody: { $0.hasPrefix("/install/") },
        dependsOnAgent: { $0.hasPrefix("/apps/") },
        variant: { ResponseVariant(Visitor(userAgent: $0)) },
    )
}

extension ResponseVariant {
    /// What a page shows to such a visitor.
    package init(_ visitor: Visitor) {
        self.init("\(visitor)")
    }
}
