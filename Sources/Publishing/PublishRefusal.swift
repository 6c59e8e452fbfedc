import Bytes
package import Inspection
package import Problems
package import Versions

/// Why a build is not published although its archive can be read.
package enum PublishRefusal: ReportableError, Equatable {
    /// The build could not be installed on any device.
    case blocked(InspectionReport)
    /// Info.plist lacks a value that identifies the release; with its key.
    case unnamed(key: String)
    /// The size of the notes, in bytes of UTF-8.
    case notesTooLong(Int)
    /// The git tag's name could be misread in some context.
    case badTag(TagFlaw)
    /// The build was built for a tag, but has another version.
    case otherVersion(String, expected: String, tag: String)
}

extension PublishRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .blocked(let report):
            "the build cannot be installed on any device: "
                + report.findings.filter(\.blocksEveryDevice).map(\.message).joined(separator: " ")
        case .unnamed(let key): "the app's Info.plist has no usable \(key)"
        case .notesTooLong(let count):
            "the notes are \(count.grouped) bytes long, and the limit is "
                + PublishOptions.notesLimit.grouped
        case .badTag(let flaw): flaw.description
        case .otherVersion(let version, let expected, let tag):
            "the build is version \(quoted: version), but the tag \(tag) is version \(expected)"
        }
    }

    package var kind: Problem.Kind { .invalid }

    /// A stable identifier for scripts; for a blocked build, that of its first finding.
    package var id: String {
        switch self {
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.id ?? "publish.blocked"
        case .unnamed: "publish.unnamed"
        case .notesTooLong: "publish.notes-too-long"
        case .badTag: "publish.bad-tag"
        case .otherVersion: "publish.other-version"
        }
    }

    package var place: String {
        switch self {
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.place ?? report.identity.path
        case .unnamed(let key): "Info.plist \(key)"
        case .notesTooLong: "notes"
        case .badTag: "tag"
        case .otherVersion: "Info.plist CFBundleShortVersionString"
        }
    }

    package var fix: String {
        switch self {
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.fix ?? "see `ota validate`"
        case .unnamed(let key): "set \(key) in the app's Info.plist and build again"
        case .notesTooLong: "shorten the notes"
        case .badTag(let flaw): flaw.fix
        case .otherVersion(_, let expected, _):
            "set MARKETING_VERSION to \(expected.prefix { $0 != "-" && $0 != "+" }) and build "
                + "again, tag the commit with the version of the build, or publish with "
                + "--allow-version-mismatch"
        }
    }
}
