/// Which requests a response that is kept in memory may answer.
package struct CachePolicy: Sendable {
    let isPersonal: @Sendable (_ cookie: String) -> Bool
    let isForEverybody: @Sendable (_ target: String) -> Bool
    let dependsOnAgent: @Sendable (_ target: String) -> Bool
    let variant: @Sendable (_ agent: String) -> ResponseVariant

    /// - Parameters:
    ///   - isPersonal: whether a `Cookie` field identifies the client; the routes then answer, not the cache.
    ///   - isForEverybody: whether a target gives the same whatever cookies come along.
    ///   - dependsOnAgent: whether a target may give something else to another `User-Agent`.
    ///   - variant: what a `User-Agent` is given of such a target.
    package init(
        isPersonal: @escaping @Sendable (_ cookie: String) -> Bool,
        isForEverybody: @escaping @Sendable (_ target: String) -> Bool,
        dependsOnAgent: @escaping @Sendable (_ target: String) -> Bool,
        variant: @escaping @Sendable (_ agent: String) -> ResponseVariant,
    ) {
        self.isPersonal = isPersonal
        self.isForEverybody = isForEverybody
        self.dependsOnAgent = dependsOnAgent
        self.variant = variant
    }
}

/// One of several responses that a target has for different kinds of clients.
package struct ResponseVariant: Hashable, Sendable {
    private let name: String

    /// - Parameter name: what tells the variant from the others of its target.
    package init(_ name: String) {
        self.name = name
    }
}
