/// Checks that a project would be built with the version of its tag.
package struct ProjectCheck: Hashable, Sendable {
    package let rows: [Row]

    /// A target in one configuration.
    package struct Row: Hashable, Sendable {
        package let target: XcodeProject.Target
        /// Whether the target has the tag's version; nil for an untagged build, which may have any
        /// version.
        package let isTagged: Bool?
        /// Whether the project's build number is the number of commits.
        package let hasBuildNumber: Bool
    }

    /// Compares targets with the version of a commit.
    package init(_ targets: [XcodeProject.Target], with facts: VersionFacts) {
        let version = facts.isDevelopment ? nil : try? Version(facts.version)
        rows = targets.map { target in
            let stated = target.marketingVersion?.text ?? ""
            return Row(
                target: target,
                isTagged: version.map { $0.isStated(as: stated) },
                hasBuildNumber: target.buildNumber?.text == String(facts.buildNumber),
            )
        }
    }

    /// The first target that would be built with another version.
    package var mismatch: Row? { rows.first { $0.isTagged == false } }
}
