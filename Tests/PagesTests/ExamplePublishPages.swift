import Foundation
import Identifiers
import Inspection
import Pages
import Releases
import Testing

/// The pages on which a build is published from the browser.
extension ExamplePages {
    func publishPage() throws -> PublishPage {
        PublishPage(
            channel: .stable,
            channels: [.stable, try beta()],
            base: try BaseURL("https://ota.example.com"),
            links: try adminLinks(),
            scriptURL: "public/publish.js",
            checked: try checkedFiles(),
            admin: try admin(.apps),
        )
    }

    private func checkedFiles() throws -> [CheckedFile] {
        guard case .checked(let build, _) = try checkedUpload() else { return [] }
        let checked = Date(timeIntervalSince1970: Self.now.timeIntervalSince1970 - 7200)
        return [CheckedFile(build, findings: 2, checked: checked, at: Self.now)]
    }

    func uploadPage(_ outcome: UploadPage.Outcome) throws -> UploadPage {
        UploadPage(
            outcome,
            links: try adminLinks(),
            scriptURL: "public/publish.js",
            admin: try admin(.apps),
        )
    }

    func refusedUpload() throws -> UploadPage.Outcome {
        let finding = Finding(
            id: "profile.expired",
            severity: .blocks,
            place: "Payload/Browsey.app/embedded.mobileprovision",
            message: word("The profile") + " expired on 15 November 2026.",
            fix: "Renew the profile on Apple’s developer site and build again.",
        )
        let problem = PageProblem(
            id: "build.blocked",
            message: "The build would not install on any device.",
            fix: "Fix the issues below and build again.",
        )
        return .refused(problem, [finding], isCheck: false)
    }

    func checkedUpload() throws -> UploadPage.Outcome {
        .checked(
            UploadPage.Checked(
                title: word("Browsey"),
                release: try release().identifier,
                channel: "beta",
                isNew: true,
                registered: 30,
                canInstall: 28,
                mayPublish: true,
                url: "upload.html",
                code: "code",
            ),
            [],
        )
    }

    func publishedUpload() throws -> UploadPage.Outcome {
        .published(
            UploadPage.Published(
                title: word("Browsey"),
                release: try release().identifier,
                channel: "stable",
                isNew: true,
                isOffered: true,
                registered: 30,
                canInstall: 28,
                pageURL: "release.html",
            ),
            [],
        )
    }
}
