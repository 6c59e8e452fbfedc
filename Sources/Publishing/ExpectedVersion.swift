package import Versions

/// The version that a build must have, because it was built for a tag.
package struct ExpectedVersion: Sendable, Equatable {
    package let tag: String
    package let version: Version

    package init(tag: String, version: Version) {
        self.tag = tag
        self.version = version
    }

    /// The version that a tag names; nil if it names none, such as `nightly` or `dev`.
    ///
    /// - Throws: ``PublishRefusal/badTag(_:)`` for a name that could be misread in some context.
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
