import APIDocuments
import Administration
import Inspection
import Problems
import Releases

/// Findings as a JUnit file, which most CI systems show.
///
/// There is one test case for each finding and, if the verdict is for all devices, for each device. What
/// blocks the build is a failure; what blocks individual devices, warnings and notes are passed cases with
/// their text.
struct JUnitReport {
    let file: String
    let findings: [Finding]
    /// Whether the build as a whole is blocked.
    let isBlocked: Bool
    /// The devices in use, if the verdict is for all of them.
    var verdicts: RegisterVerdicts?
    /// The result of the publish with these findings.
    var publish: PublishOutcome?

    var text: String {
        // A build that was not inspected has no findings, but that does not mean that it is good.
        let isUnseen = findings.isEmpty && publish?.failure != nil
        var suites = isUnseen ? [] : [Suite(name: file, cases: findingCases)]
        if let publish {
            suites.append(Suite(name: "ota publish", cases: [Case(publish)]))
        }
        if let verdicts {
            suites.append(
                Suite(name: "\(file) on devices", cases: verdicts.namelessEntries.map(Case.init))
            )
        }
        let counts = Suite.counts(suites.flatMap(\.cases))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites \(counts)>
            \(suites.map(\.text).joined(separator: "\n"))
            </testsuites>
            """
    }

    private var findingCases: [Case] {
        findings.isEmpty
            ? [Case(name: "no findings")] : findings.map { Case($0, isBlocked: isBlocked) }
    }
}

private struct Suite {
    let name: String
    let cases: [Case]

    var text: String {
        """
          <testsuite name="\(name.xml)" \(Self.counts(cases))>
        \(cases.map(\.text).joined(separator: "\n"))
          </testsuite>
        """
    }

    static func counts(_ cases: [Case]) -> String {
        #"tests="\#(cases.count)" failures="\#(cases.count { $0.failure != nil })""#
    }
}

private struct Case {
    let classname: String
    let name: String
    /// The kind of failure, and its first line; nil for a case that passed.
    let failure: (type: String, message: String)?
    let lines: [String]

    /// A case that passed and has no text.
    init(name: String) {
        classname = "ota.validate"
        self.name = name
        failure = nil
        lines = []
    }

    init(_ finding: Finding, isBlocked: Bool) {
        classname = "ota.validate"
        name = "\(finding.id) at \(finding.place)"
        failure =
            isBlocked && finding.severity == .blocks ? (finding.id, finding.message) : nil
        lines = finding.lines
    }

    init(_ publish: PublishOutcome) {
        classname = "ota.publish"
        name = "publish \(publish.file)"
        switch publish.result {
        case .success(let release):
            failure = nil
            lines = [release.url] + release.outlook
        case .failure(let refusal):
            failure = (refusal.id, refusal.message)
            lines = [refusal.message] + refusal.labelledLines
        }
    }

    init(_ name: String, _ entry: RegisterVerdicts.Entry) {
        let reasons = entry.judged.reasons
        classname = "ota.devices"
        self.name = name
        failure = reasons.first.map { ($0.id, $0.message) }
        lines = reasons.flatMap(\.lines)
    }

    var text: String {
        let start = #"    <testcase classname="\#(classname)" name="\#(name.xml)""#
        let told = lines.map(\.xml).joined(separator: "\n")
        if let failure {
            let attributes = #"type="\#(failure.type.xml)" message="\#(failure.message.xml)""#
            return start + "><failure \(attributes)>\(told)</failure></testcase>"
        }
        return told.isEmpty
            ? start + "/>" : start + "><system-out>\(told)</system-out></testcase>"
    }
}

extension String {
    /// Escapes text for XML elements and attributes.
    ///
    /// XML 1.0 cannot represent the last two scalars of the basic multilingual plane, nor controls, which
    /// ``printable`` replaces.
    fileprivate var xml: String {
        printable.replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }
}
