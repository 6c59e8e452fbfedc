import Foundation
import Identifiers
import Inspection
import Releases
import Testing

@testable import Pages

/// The origin of a release, as testers and admins read it.
struct OriginSentenceTests {
    private static let commit = "0123456789abcdef0123456789abcdef01234567"

    private struct Case: Sendable, CustomTestStringConvertible {
        var tag: String?
        var commit: String?
        var origin: BuildOrigin?
        var isBuiltHere = false
        let said: String

        var testDescription: String { said }
    }

    @Test(arguments: [
        Case(
            tag: "v1.2.0",
            commit: commit,
            origin: BuildOrigin(
                repository: "https://github.com/vforsh/browsey.git",
                builder: "https://github.com/actions",
            ),
            said: "Built from tag v1.2.0, commit 0123456789ab of github.com/vforsh/browsey by "
                + "GitHub Actions, according to the publisher; statement of origin signed by this server",
        ),
        Case(
            commit: commit,
            origin: BuildOrigin(builder: "https://gitlab.example.com"),
            said: "Built from commit 0123456789ab by gitlab.example.com, according to the "
                + "publisher; statement of origin signed by this server",
        ),
        Case(
            tag: "v1.2.0",
            commit: commit,
            origin: BuildOrigin(
                repository: "/srv/git/browsey.git",
                builder: "urn:ota:mirror:browsey",
            ),
            isBuiltHere: true,
            said:
                "Built by this server from tag v1.2.0, commit 0123456789ab of browsey; statement "
                + "of origin signed by it",
        ),
        Case(
            origin: BuildOrigin(builder: "urn:ota:mirror:browsey"),
            said: "The publisher did not say what it was built from; statement of origin signed "
                + "by this server",
        ),
    ])
    private func `what was told stays told, and what was seen is said so`(example: Case) throws {
        let pages = ExamplePages()
        let release = try pages.release().told(
            Release.Publication(
                date: ExamplePages.now,
                publisher: "ci",
                channel: .stable,
                tag: example.tag,
                commit: example.commit,
                origin: example.origin,
                isBuiltHere: example.isBuiltHere,
            ),
            report: try pages.report(),
        )
        #expect(OriginSentence(of: release).text(in: .english) == example.said)
    }

    @Test func `an address that is none of the web is no link`() throws {
        let pages = ExamplePages()
        let release = try pages.release().told(
            Release.Publication(
                date: ExamplePages.now,
                publisher: "ci",
                channel: .stable,
                origin: BuildOrigin(
                    repository: "javascript:alert(1)//",
                    builder: "https:///",
                    run: "https://ci.example.com/1",
                ),
            ),
            report: try pages.report(),
        )
        let slug = try #require(Slug("browsey"))
        let links = try pages.adminLinks().pages(of: slug).release(release.identifier)
        let card = OriginCard(of: release, links: links)
        let linked = card.rows.filter { $0.url != nil }.map(\.label)
        #expect(linked == ["CI job"])
        #expect(card.rows.map(\.label) == ["Repository", "Builder", "CI job", "Published by"])
        #expect(card.statementURL == nil && card.command == nil)
    }
}

extension Release {
    /// The same build, published with another description.
    fileprivate func told(_ publication: Publication, report: InspectionReport) -> Release {
        Release(
            report: report,
            identity: Identity(
                bundleIdentifier: bundleIdentifier,
                name: name,
                version: version,
                build: build,
                families: families,
            ),
            artifact: Artifact(
                sha256: sha256,
                size: size,
                chunks: chunks,
                icons: icons,
                report: self.report,
            ),
            publication: publication,
        )
    }
}
