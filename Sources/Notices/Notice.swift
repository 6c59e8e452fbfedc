import AsyncHTTPClient

/// Something that the team is told about once.
package struct Notice: Sendable {
    package let title: String

    package init(title: String) {
        self.title = title
    }
}
