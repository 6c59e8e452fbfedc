/// A button that posts one action; templates render all of a page's buttons the same way.
package struct ActionButton: Sendable {
    let title: String
    let label: String
    let url: String
    let code: String
    let confirmation: String?
    let isBad: Bool

    /// - Parameters:
    ///   - title: the button's text, such as `Retry now`.
    ///   - label: the text for screen readers, with the object's name.
    ///   - url: the form's target.
    ///   - code: the value of each form's `form` field.
    ///   - confirmation: the consequence, shown for confirmation before the action; nil if none is
    ///     needed.
    ///   - isBad: whether the action cannot be undone.
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
