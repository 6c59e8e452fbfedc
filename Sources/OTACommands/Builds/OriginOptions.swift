import ArgumentParser
import Foundation
import Releases

/// The origin of a build, for the statement that is signed with a release.
///
/// In a CI job of GitHub, GitLab or Jenkins it comes from the job's variables.
struct OriginOptions: ParsableArguments {
    @Option(help: "The repository's URL; default: from the CI job's variables.")
    var repository: String?

    @Option(help: "The branch of the build; default: from the CI job's variables.")
    var branch: String?

    @Option(help: "The file that defines the build, such as .ota/pipeline.yml.")
    var pipeline: String?

    @Option(help: "The URI of the service that built it.")
    var builder: String?

    @Option(help: ArgumentHelp("The URL of the CI job.", valueName: "url"))
    var runURL: String?

    func validate() throws {
        if let runURL, !runURL.isEmpty, URL(string: runURL)?.host() == nil {
            throw ValidationError("--run-url must be a URL such as https://ci.example.com/42")
        }
        let given = BuildOrigin(
            repository: repository,
            pipeline: pipeline,
            builder: builder,
            run: runURL,
            branch: branch,
        ).withoutReservedNames
        let options = [
            ("repository", repository, given.repository), ("pipeline", pipeline, given.pipeline),
            ("builder", builder, given.builder), ("run-url", runURL, given.run),
            ("branch", branch, given.branch),
        ]
        // An option that would be left out of the signed statement is refused instead of ignored.
        if let (name, _, _) = options.first(where: { $1?.isEmpty == false && $2 == nil }) {
            throw ValidationError(
                "--\(name) must be one line of at most \(BuildOrigin.lengthLimit) plain "
                    + "characters, without a password, and must not begin with "
                    + "\(BuildOrigin.ownPrefix)"
            )
        }
    }

    func origin(in environment: [String: String]) -> BuildOrigin {
        let given = CIJob(environment)?.origin ?? BuildOrigin()
        return BuildOrigin(
            repository: repository.given ?? given.repository,
            pipeline: pipeline.given ?? given.pipeline,
            builder: builder.given ?? given.builder,
            run: runURL.given ?? given.run,
            branch: branch.given ?? given.branch,
        ).withoutReservedNames
    }
}

extension String? {
    /// Nil for an empty text, which a script passes for an unset variable.
    var given: String? { flatMap { $0.isEmpty ? nil : $0 } }
}
