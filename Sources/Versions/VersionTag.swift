/// A tag for a version: `v1.2.3`, `1.2.3`, `browsey/v1.2.3-beta.4`.
package struct VersionTag: Hashable, Sendable {
    package let name: TagName
    /// The text before the version, for one of several apps in a repository; often empty.
    package let prefix: String
    package let version: Version

    /// Parses the version after `prefix` or, without one, after the last slash.
    ///
    /// - Throws: ``VersionFlaw`` for a tag that is not a version, or has another prefix.
    package init(_ name: TagName, prefix: String? = nil) throws(VersionFlaw) {
        let text = name.rawValue
        let prefix = prefix ?? Self.folder(of: text)
        guard text.hasPrefix(prefix) else { throw .otherPrefix(prefix) }
        let rest = text.dropFirst(prefix.count)
        let hasMark = rest.first == "v" || rest.first == "V"
        version = try Version(hasMark ? rest.dropFirst() : rest)
        self.name = name
        self.prefix = prefix
    }

    /// The tag with which a commit was released: the one with the highest version.
    ///
    /// Without a prefix, tags that have none take precedence.
    ///
    /// - Throws: ``VersionRefusal/severalPrefixes(_:)`` when only the prefix could decide.
    package static func released(
        as names: [TagName],
        prefix: String? = nil,
    ) throws(VersionRefusal) -> VersionTag? {
        try released(
            among: names.compactMap { try? VersionTag($0, prefix: prefix) },
            prefix: prefix,
        )
    }

    /// The same of tags that were read with `prefix`.
    package static func released(
        among tags: [VersionTag],
        prefix: String?,
    ) throws(VersionRefusal) -> VersionTag? {
        let plain = tags.filter(\.prefix.isEmpty)
        let candidates = prefix == nil && !plain.isEmpty ? plain : tags
        let prefixes = Set(candidates.map(\.prefix))
        guard prefixes.count <= 1 else { throw .severalPrefixes(prefixes.sorted()) }
        return candidates.max(by: Self.precedes)
    }

    /// The previous version, from which changes are listed: the highest earlier version with the same
    /// prefix that the same testers had.
    ///
    /// Testers of a final version had no pre-releases; testers of a `beta` had betas and final versions.
    package func previous(among tags: [VersionTag]) -> VersionTag? {
        tags.filter { tag in
            tag.prefix == prefix && tag.version < version
                && (!tag.version.isPrerelease
                    || version.isPrerelease && tag.version.channel == version.channel)
        }
        .max(by: Self.precedes)
    }

    /// Orders by version, and equal versions by name, so that the choice is always the same.
    package static func precedes(_ left: VersionTag, _ right: VersionTag) -> Bool {
        left.version == right.version
            ? left.name.rawValue < right.name.rawValue : left.version < right.version
    }

    private static func folder(of text: String) -> String {
        // By bytes: no tag's name has a mark that would join with the slash.
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[...$0]) } ?? ""
    }
}
