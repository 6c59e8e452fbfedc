/// Which requests a response that is kept in memory may answer.
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
    ///   - isPersonal: whether a `Cookie` field identifies the client; the routes then answer, not the cache.
    ///   - isForEverybody: whether a target gives the same whatever cookies come along.
    ///   - dependsOnAgent: whether a target may give something else to another `User-Agent`.
    ///   - variant: what a `User-Agent` is given of such a target.
    ///   - dependsOnLanguage: whether a target is given in several languages.
    ///   - chosenLanguage: the tag of the language that a `Cookie` field chooses; nil for none.
    ///   - language: the tag of the language that an `Accept-Language` is given without such a cookie.
    ///   - isChange: whether a target that is sent something may change what others are given.
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

/// One of several responses that a target has for different kinds of clients.
package struct ResponseVariant: Hashable, Sendable {
    private let name: String
    private let language: String

    /// - Parameters:
    ///   - name: what tells the variant from the others of its target, beside the language.
    ///   - language: the tag of the language that it is in; empty where there is only one.
    package init(_ name: String, language: String = "") {
        self.name = name
        self.language = language
    }

    /// The same in a language.
    func spoken(in language: String) -> ResponseVariant {
        ResponseVariant(name, language: language)
    }
}
