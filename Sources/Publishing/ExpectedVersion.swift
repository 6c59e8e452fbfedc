package import Versions

/// The version that a build must state, because it was made for a tag.
package struct ExpectedVersion: Sendable, Equatable {
    package let tag: String
    package let version: Version

    package init(tag: String, version: Version) {
        self.tag = tag
        self.version = version
    }

    /// The version that a tag names; nil for one that names none, such as `nightly` or `dev`.
    ///
    /// - Throws: ``PublishRefusal/badTag(_:)`` for a name that could mean something else somewhere.
    init?(tag: String) throws(PublishRefusal) {
        do throws(TagFlaw) {
            let name = try TagName(tag)
            guard let tagged = try? VersionTag(name) else { return nil }
            self.init(tag: tag, version: tagged.version)
        } catch {
            throw .badTag(error)
        }
    }
}
