/// The version that a build must state, because it was made for a tag.
package struct ExpectedVersion: Sendable {
    package let tag: String
    /// As people say it.
    package let version: String
    /// Whether a `CFBundleShortVersionString` is that version.
    package let isStated: @Sendable (_ text: String) -> Bool

    package init(
        tag: String,
        version: String,
        isStated: @escaping @Sendable (_ text: String) -> Bool,
    ) {
        self.tag = tag
        self.version = version
        self.isStated = isStated
    }
}
