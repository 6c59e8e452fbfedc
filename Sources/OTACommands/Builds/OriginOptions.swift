import ArgumentParser
import Releases

/// Who built, of what: for the statement that is signed with a release.
///
/// In a job of GitHub, GitLab or Jenkins their variables say it.
struct OriginOptions: ParsableArguments {
    @Option(help: "The repository's address; CI's own variables say it else.")
    var repository: String?

    @Option(help: "What said how to build, such as .ota/pipeline.yml.")
    var pipeline: String?

    @Option(help: "The service that built, a URI.")
    var builder: String?

    func origin(in environment: [String: String]) -> BuildOrigin {
        let told = Self.told(by: environment)
        return BuildOrigin(
            repository: repository ?? told.repository,
            pipeline: pipeline ?? told.pipeline,
            builder: builder ?? told.builder,
            run: told.run,
        )
    }

    private static func told(by environment: [String: String]) -> BuildOrigin {
        if environment["GITHUB_ACTIONS"] == "true", let server = environment["GITHUB_SERVER_URL"],
            let name = environment["GITHUB_REPOSITORY"]
        {
            return BuildOrigin(
                repository: "\(server)/\(name)",
                pipeline: environment["GITHUB_WORKFLOW_REF"],
                builder: "\(server)/actions",
                run: environment["GITHUB_RUN_ID"].map { "\(server)/\(name)/actions/runs/\($0)" },
            )
        }
        if environment["GITLAB_CI"] == "true" {
            return BuildOrigin(
                repository: environment["CI_PROJECT_URL"],
                pipeline: environment["CI_CONFIG_PATH"] ?? ".gitlab-ci.yml",
                builder: environment["CI_SERVER_URL"],
                run: environment["CI_JOB_URL"],
            )
        }
        guard environment["JENKINS_URL"] != nil else { return BuildOrigin() }
        return BuildOrigin(
            repository: environment["GIT_URL"],
            pipeline: environment["JOB_NAME"],
            builder: environment["JENKINS_URL"],
            run: environment["BUILD_URL"],
        )
    }
}
