import Inspection

/// Findings as a JUnit file, which most CI systems show: a test case per finding.
///
/// What blocks is a failure; warnings and notes are passed cases with their text.
struct JUnitReport {
    let file: String
    let findings: [Finding]

    var text: String {
        let failures = findings.count { $0.severity == .blocks }
        let cases = findings.isEmpty ? [passed] : findings.map(testCase)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="\(cases.count)" failures="\(failures)">
              <testsuite name="\(escaped(file))" tests="\(cases.count)" failures="\(failures)">
            \(cases.joined(separator: "\n"))
              </testsuite>
            </testsuites>
            """
    }

    private var passed: String {
        #"    <testcase classname="ota.validate" name="no findings"/>"#
    }

    private func testCase(_ finding: Finding) -> String {
        let name = escaped("\(finding.id) at \(finding.place)")
        let text = escaped(finding.message) + "\n" + escaped(finding.mend)
        let body =
            finding.severity == .blocks
            ? #"<failure type="\#(escaped(finding.id))" message="\#(escaped(finding.message))">\#(text)</failure>"#
            : "<system-out>\(text)</system-out>"
        return #"    <testcase classname="ota.validate" name="\#(name)">\#(body)</testcase>"#
    }

    private func escaped(_ text: String) -> String {
        text.printable.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
