import Bytes
import Versions

extension PublishOptions {
    /// A remark about a tag that looks like a version but is none, such as `v1.2.3.4`.
    var remarkOnTag: String? {
        guard expected == nil, let tag, tag.contains(where: \.isNumber),
            (try? ExpectedVersion(tag: tag)) == nil
        else { return nil }
        return
            "The tag \(PrintableText(escaping: tag, limit: 200)) names no version, so it was not "
            + "compared with that of the build."
    }

    /// Refuses a build whose version differs from that of its tag.
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
