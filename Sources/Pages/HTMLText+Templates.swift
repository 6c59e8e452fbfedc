import Mustache

extension HTMLText {
    /// The prefix of every template, because Mustache's own escaping works on Swift characters.
    static let pragma = "{{% CONTENT_TYPE:page}}\n"

    /// Registers the content type of ``pragma`` with Mustache.
    static func register() {
        MustacheContentTypes.register(Escaping(), named: "page")
    }

    private struct Escaping: MustacheContentType {
        func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
    }
}
