import Foundation
import TestSupport
import Testing

/// What a publish reads from the variables of its CI job.
@Suite(.timeLimit(.minutes(10)))
struct JobOriginTests {
    private static let commit = String(repeating: "5f1c", count: 10)

    private static let jobs: [(job: [String: String], branch: String?, run: String)] = [
        (
            [
                "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://github.com",
                "GITHUB_REPOSITORY": "ana/forks", "GITHUB_REF": "refs/heads/main",
                "GITHUB_RUN_ID": "42",
                "GITHUB_SHA": commit,
            ], "main", "https://github.com/ana/forks/actions/runs/42",
        ),
        (
            [
                "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://github.com",
                "GITHUB_REPOSITORY": "ana/forks", "GITHUB_REF": "refs/pull/12/merge",
                "GITHUB_HEAD_REF": "tabs", "GITHUB_RUN_ID": "43", "GITHUB_SHA": commit,
            ], "tabs", "https://github.com/ana/forks/actions/runs/43",
        ),
        (
            [
                "GITLAB_CI": "true", "CI_COMMIT_TAG": "v1.4.0", "CI_COMMIT_REF_NAME": "v1.4.0",
                "CI_JOB_URL": "https://gitlab.example.com/jobs/7", "CI_COMMIT_SHA": commit,
            ], nil, "https://gitlab.example.com/jobs/7",
        ),
        (
            [
                "JENKINS_URL": "https://jenkins.example.com", "BRANCH_NAME": "PR-12",
                "CHANGE_BRANCH": "tabs", "BUILD_URL": "https://jenkins.example.com/job/a/9",
                "GIT_COMMIT": commit,
            ], "tabs", "https://jenkins.example.com/job/a/9",
        ),
        (
            [
                "BITRISE_IO": "true", "BITRISE_GIT_BRANCH": "main",
                "BITRISE_BUILD_URL": "https://app.bitrise.io/build/1", "BITRISE_GIT_COMMIT": commit,
            ], "main", "https://app.bitrise.io/build/1",
        ),
        (
            [
                "CI_XCODE_CLOUD": "TRUE", "CI_BRANCH": "main",
                "CI_BUILD_URL": "https://appstoreconnect.apple.com/1", "CI_COMMIT": commit,
            ], "main", "https://appstoreconnect.apple.com/1",
        ),
    ]

    @Test(arguments: jobs.indices)
    func `branch, commit and job of a build come from the job`(index: Int) async throws {
        let (job, branch, run) = Self.jobs[index]
        try await Workplace.run { place in
            try place.build()
            let words = ["publish", "build.ipa", "--trusted-ca", "anchor.pem", "--no-annotations"]
            let published = try await place.ota(words, environment: job)
            try #require(published.status == 0, "\(published.errors)")
            let release = try await place.json("releases", "show", "browsey", "1.4.0")["release"]
            #expect(release["commit"].string == Self.commit)
            #expect(release["origin"]["branch"].string == branch)
            #expect(release["origin"]["run"].string == run)
        }
    }
}
