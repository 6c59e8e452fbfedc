import Versions

extension PublishOptions {
    /// Refuses a build whose version is not that of the tag it is said to come from.
    ///
    /// - Throws: ``PublishRefusal/otherVersion(_:expected:tag:)`` and ``PublishRefusal/badTag(_:)``.
    package func check(version: String) throws(PublishRefusal) {
        let named: ExpectedVersion? = if let tag { try ExpectedVersion(tag: tag) } else { nil }
        guard let expected = expected ?? named, !allowsOtherVersion,
            !expected.version.isStated(as: version)
        else { return }
        throw .otherVersion(
            version,
            expected: expected.version.description,
            tag: expected.tag,
        )
    }
}
