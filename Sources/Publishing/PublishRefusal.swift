import Bytes
package import Inspection
package import Problems
package import Versions

/// Why a build is not published although its archive can be read.
package enum PublishRefusal: ReportableError, Equatable {
    /// It would install on no device.
    case blocked(InspectionReport)
    /// Info.plist does not say what the build is called; the value is the key.
    case unnamed(key: String)
    /// Bytes of UTF-8.
    case notesTooLong(Int)
    /// The git tag has a name that could mean something else somewhere.
    case badTag(TagFlaw)
    /// The build was made for a tag and states another version.
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
            "the notes have \(count.grouped) bytes, and the limit is \(PublishOptions.notesLimit.grouped)"
        case .badTag(let flaw): flaw.description
        case .otherVersion(let version, let expected, let tag):
            "the build is version \(quoted: version), but the tag \(tag) is version \(expected)"
        }
    }

    package var kind: Problem.Kind { .invalid }

    /// A stable identifier for scripts: for a blocked build that of its first finding.
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
