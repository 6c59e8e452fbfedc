/// A button that posts one action; the templates show every button that a page gives them.
package struct ActionButton: Sendable {
    let title: String
    let label: String
    let url: String
    let code: String
    let confirmation: String?
    let isBad: Bool

    /// - Parameters:
    ///   - title: what the button says, such as `Retry now`.
    ///   - label: the same for who hears the page, with the name of the thing.
    ///   - url: where it posts to.
    ///   - code: what each form carries in `form`.
    ///   - confirmation: what follows from the action, which is said before it; nil where nothing
    ///     has to be confirmed.
    ///   - isBad: whether it takes away something that cannot be had back.
    package init(
        _ title: String,
        label: String,
        url: String,
        code: String,
        confirmation: String? = nil,
        isBad: Bool = false,
    ) {
        self.title = title
        self.label = label
        self.url = url
        self.code = code
        self.confirmation = confirmation
        self.isBad = isBad
    }
}
