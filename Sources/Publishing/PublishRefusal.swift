package import Inspection

/// Why a build is not published although its archive can be read.
package enum PublishRefusal: Error, Equatable {
    /// It would install on no device.
    case blocked(InspectionReport)
    /// Info.plist does not say what the build is called; the value is the key.
    case unnamed(key: String)
    /// Bytes of UTF-8.
    case notesTooLong(Int)
}

extension PublishRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .blocked(let report):
            "the build installs on no device: "
                + report.findings.filter(\.blocksEveryDevice).map(\.message).joined(separator: " ")
        case .unnamed(let key): "the app's Info.plist has no usable \(key)"
        case .notesTooLong(let count):
            "the notes take \(count) bytes and at most \(PublishOptions.notesLimit) are kept"
        }
    }

    /// A stable identifier for scripts: for a blocked build that of its first finding.
    package var id: String {
        switch self {
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.id ?? "publish.blocked"
        case .unnamed: "publish.unnamed"
        case .notesTooLong: "publish.notes-too-long"
        }
    }

    package var place: String {
        switch self {
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.place ?? report.identity.path
        case .unnamed(let key): "Info.plist \(key)"
        case .notesTooLong: "notes"
        }
    }

    package var mend: String {
        switch self {
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.mend ?? "see `ota validate`"
        case .unnamed(let key): "set \(key) in the app's Info.plist and build again"
        case .notesTooLong: "shorten the notes"
        }
    }
}
