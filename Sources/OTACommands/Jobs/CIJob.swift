import Releases

/// The CI job of GitHub Actions, Gitea, GitLab, Jenkins, Bitrise or Xcode Cloud in which a command runs,
/// according to its variables.
struct CIJob {
    enum Service {
        /// Also Gitea and Forgejo, which set the same variables.
        case github
        case gitlab, jenkins, bitrise, xcodeCloud
    }

    let service: Service
    private let environment: [String: String]

    /// Nil outside of a known CI job.
    init?(_ environment: [String: String]) {
        self.environment = environment
        if environment["GITHUB_ACTIONS"] == "true" {
            service = .github
        } else if environment["GITLAB_CI"] == "true" {
            service = .gitlab
        } else if environment["JENKINS_URL"] != nil {
            service = .jenkins
        } else if environment["BITRISE_IO"] == "true" {
            service = .bitrise
        } else if environment["CI_XCODE_CLOUD"] == "TRUE" {
            service = .xcodeCloud
        } else {
            return nil
        }
    }

    /// The reference that was pushed, `refs/tags/v1.2.3` or `refs/heads/main`; nil if the job does not name
    /// it.
    var reference: String? {
        switch service {
        case .github: value("GITHUB_REF")
        case .gitlab: reference(tag: "CI_COMMIT_TAG", branch: "CI_COMMIT_REF_NAME")
        case .jenkins: reference(tag: "TAG_NAME", branch: "BRANCH_NAME")
        case .bitrise: reference(tag: "BITRISE_GIT_TAG", branch: "BITRISE_GIT_BRANCH")
        case .xcodeCloud: reference(tag: "CI_TAG", branch: "CI_BRANCH")
        }
    }

    /// The branch that is built, or the source branch of a pull request; nil for a tag.
    var branch: String? {
        let ofRequest =
            switch service {
            case .github: value("GITHUB_HEAD_REF")
            case .gitlab: value("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME")
            case .jenkins: value("CHANGE_BRANCH")
            case .bitrise: String?.none
            case .xcodeCloud: value("CI_PULL_REQUEST_SOURCE_BRANCH")
            }
        let front = "refs/heads/"
        return ofRequest
            ?? reference.flatMap { $0.hasPrefix(front) ? String($0.dropFirst(front.count)) : nil }
    }

    /// The commit that is built; nil if it is not hexadecimal.
    var commit: String? {
        let commit =
            switch service {
            case .github: value("GITHUB_SHA")
            case .gitlab: value("CI_COMMIT_SHA")
            case .jenkins: value("GIT_COMMIT")
            case .bitrise: value("BITRISE_GIT_COMMIT")
            case .xcodeCloud: value("CI_COMMIT")
            }
        return commit.flatMap { $0.allSatisfy(\.isHexDigit) ? $0 : nil }
    }

    /// The origin of the build: its builder and its source.
    var origin: BuildOrigin {
        switch service {
        case .github:
            guard let server = value("GITHUB_SERVER_URL"), let name = value("GITHUB_REPOSITORY")
            else { return BuildOrigin() }
            return BuildOrigin(
                repository: "\(server)/\(name)",
                pipeline: value("GITHUB_WORKFLOW_REF"),
                builder: "\(server)/actions",
                run: value("GITHUB_RUN_ID").map { "\(server)/\(name)/actions/runs/\($0)" },
                branch: branch,
            )
        case .gitlab:
            return BuildOrigin(
                repository: value("CI_PROJECT_URL"),
                pipeline: value("CI_CONFIG_PATH") ?? ".gitlab-ci.yml",
                builder: value("CI_SERVER_URL"),
                run: value("CI_JOB_URL"),
                branch: branch,
            )
        case .jenkins:
            return BuildOrigin(
                repository: value("GIT_URL"),
                pipeline: value("JOB_NAME"),
                builder: value("JENKINS_URL"),
                run: value("BUILD_URL"),
                branch: branch,
            )
        case .bitrise:
            return BuildOrigin(
                repository: value("GIT_REPOSITORY_URL"),
                pipeline: value("BITRISE_TRIGGERED_WORKFLOW_ID"),
                builder: "https://app.bitrise.io",
                run: value("BITRISE_BUILD_URL"),
                branch: branch,
            )
        case .xcodeCloud:
            return BuildOrigin(
                pipeline: value("CI_WORKFLOW"),
                builder: "https://developer.apple.com/xcode-cloud",
                run: value("CI_BUILD_URL"),
                branch: branch,
            )
        }
    }

    private func reference(tag: String, branch: String) -> String? {
        value(tag).map { "refs/tags/" + $0 } ?? value(branch).map { "refs/heads/" + $0 }
    }

    private func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
