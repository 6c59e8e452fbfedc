import Bytes
import GitRepositories
import Versions

/// The result of `ota version`.
struct VersionResult: CommandResult {
    let facts: VersionFacts
    let previous: TagName?
    let remarks: [VersionRemark]
    let check: ProjectCheck?

    var document: Document { Document(self) }

    func text(style: Style) -> String {
        let source = facts.isDevelopment ? "no tag" : "tag \(facts.tag)"
        var lines = [
            style.strong(facts.version)
                + " on \(facts.channel), build \(facts.buildNumber), from \(source)",
            style.faint("commit \(facts.commit)"),
        ]
        lines += check?.rows.map(Self.sentence) ?? []
        if !facts.notes.isEmpty {
            lines += ["", previous.map { "Since \($0):" } ?? "Changes:"]
            lines += facts.notes.split(separator: "\n", omittingEmptySubsequences: false)
                .map { String($0).printable }
        }
        return lines.joined(separator: "\n")
    }

    private static func sentence(_ row: ProjectCheck.Row) -> String {
        let target = row.target
        let version = target.marketingVersion?.text ?? "no version"
        let build = target.buildNumber.map { " (\($0.text))" } ?? ""
        let identifier = target.bundleIdentifier.map { ", \($0.text)" } ?? ""
        return "\(target.name), \(target.configuration): \(version)\(build)\(identifier)".printable
    }

    struct Document: Encodable {
        let schema = 1
        /// The names of a build's environment variables.
        let TAG, VERSION, MARKETING_VERSION, BUILD_NUMBER, CHANNEL, COMMIT, NOTES: String
        let previousTag: String
        let remarks: [String]
        let project: [Target]?

        struct Target: Encodable {
            let target, configuration, bundleIdentifier: String
            let MARKETING_VERSION, CURRENT_PROJECT_VERSION: String
            /// Whether the version and the build number match the tag.
            let isTagged, hasBuildNumber: Bool
            /// Variables that the project refers to and that only the build's environment may set.
            let undefined: [String]

            init(_ row: ProjectCheck.Row) {
                let values = [
                    row.target.bundleIdentifier, row.target.marketingVersion,
                    row.target.buildNumber,
                ]
                target = row.target.name
                configuration = row.target.configuration
                bundleIdentifier = values[0]?.text ?? ""
                MARKETING_VERSION = values[1]?.text ?? ""
                CURRENT_PROJECT_VERSION = values[2]?.text ?? ""
                isTagged = row.isTagged ?? false
                hasBuildNumber = row.hasBuildNumber
                undefined = Set(values.compactMap { $0?.undefined }.joined()).sorted()
            }
        }

        init(_ result: VersionResult) {
            let facts = result.facts
            TAG = facts.tag
            VERSION = facts.version
            MARKETING_VERSION = facts.marketingVersion
            BUILD_NUMBER = String(facts.buildNumber)
            CHANNEL = facts.channel
            COMMIT = facts.commit.description
            NOTES = facts.notes
            previousTag = result.previous?.rawValue ?? ""
            remarks = result.remarks.map(\.description)
            project = result.check?.rows.map(Target.init)
        }
    }
}
