import Bytes
package import Foundation
import Releases

/// A file that was only checked, in the list of files that wait for a choice.
package struct CheckedFile: Sendable {
    let title: String
    let release: String
    let verdict: String
    let checked: String
    let url: String
    let code: String
    /// The text of the publish button.
    let publish: String?

    /// - Parameters:
    ///   - build: the result of the check.
    ///   - findings: the number of findings.
    ///   - date: when it was checked.
    ///   - now: the current time.
    package init(_ build: UploadPage.Checked, findings: Int, checked date: Date, at now: Date) {
        title = build.title
        release = build.release.words
        let devices =
            build.registered > 0
            ? "\(build.canInstall.grouped) of \(Wording.count(build.registered, "device")) can install it"
            : "it can be published"
        verdict = devices + (findings > 0 ? ", \(Wording.count(findings, "finding"))" : "")
        checked = "checked \(Wording.ago(date, at: now))"
        url = build.choice.url
        code = build.choice.code
        publish = build.choice.publish
    }
}
