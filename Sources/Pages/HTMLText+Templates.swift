import Mustache

extension HTMLText {
    /// What stands in front of every template: Mustache's own escaping goes by character.
    static let pragma = "{{% CONTENT_TYPE:page}}\n"

    /// Makes ``pragma`` known to Mustache.
    static func register() {
        MustacheContentTypes.register(Escaping(), named: "page")
    }

    private struct Escaping: MustacheContentType {
        func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
    }
}
