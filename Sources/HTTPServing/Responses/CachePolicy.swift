/// Decides which requests a cached response may answer.
package struct CachePolicy: Sendable {
    let isPersonal: @Sendable (_ cookie: String) -> Bool
    let isForEverybody: @Sendable (_ target: String) -> Bool
    let dependsOnAgent: @Sendable (_ target: String) -> Bool
    let variant: @Sendable (_ agent: String) -> ResponseVariant
    let dependsOnLanguage: @Sendable (_ target: String) -> Bool
    let chosenLanguage: @Sendable (_ cookie: String) -> String?
    let language: @Sendable (_ accepted: String) -> String
    let isChange: @Sendable (_ target: String) -> Bool

    /// - Parameters:
    ///   - isPersonal: whether a `Cookie` field identifies the client; the routes then answer, not the
    ///     cache.
    ///   - isForEverybody: whether a target's response is the same regardless of cookies.
    ///   - dependsOnAgent: whether a target's response may depend on the `User-Agent`.
    ///   - variant: the variant of such a target for a `User-Agent`.
    ///   - dependsOnLanguage: whether a target is available in several languages.
    ///   - chosenLanguage: the tag of the language that a `Cookie` field chooses; nil for none.
    ///   - language: the tag of the language for an `Accept-Language` field without such a cookie.
    ///   - isChange: whether a request that changes data at a target may invalidate cached responses.
    package init(
        isPersonal: @escaping @Sendable (_ cookie: String) -> Bool,
        isForEverybody: @escaping @Sendable (_ target: String) -> Bool,
        dependsOnAgent: @escaping @Sendable (_ target: String) -> Bool,
        variant: @escaping @Sendable (_ agent: String) -> ResponseVariant,
        dependsOnLanguage: @escaping @Sendable (_ target: String) -> Bool,
        chosenLanguage: @escaping @Sendable (_ cookie: String) -> String?,
        language: @escaping @Sendable (_ accepted: String) -> String,
        isChange: @escaping @Sendable (_ target: String) -> Bool,
    ) {
        self.isPersonal = isPersonal
        self.isForEverybody = isForEverybody
        self.dependsOnAgent = dependsOnAgent
        self.variant = variant
        self.dependsOnLanguage = dependsOnLanguage
        self.chosenLanguage = chosenLanguage
        self.language = language
        self.isChange = isChange
    }
}

/// One of several responses that a target has for different kinds of client.
package struct ResponseVariant: Hashable, Sendable {
    private let name: String
    private let language: String

    /// - Parameters:
    ///   - name: distinguishes the variant from the target's other variants of the same language.
    ///   - language: the tag of its language; empty if the target has only one.
    package init(_ name: String, language: String = "") {
        self.name = name
        self.language = language
    }

    /// Returns the same variant in another language.
    func spoken(in language: String) -> ResponseVariant {
        ResponseVariant(name, language: language)
    }
}
