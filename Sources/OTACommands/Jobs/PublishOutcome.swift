import Inspection
import Problems

/// The result of a publish, for the page of the CI job.
struct PublishOutcome {
    /// The path of the build.
    let file: String
    let findings: [Finding]
    let result: Result<PublishedRelease, Problem>

    init(of release: PublishedRelease, file: String, findings: [Finding]) {
        self.file = file
        self.findings = findings
        result = .success(release)
    }

    /// A refusal, with the findings of the inspection if there was one.
    init(refusal error: any Error, file: String, findings: [Finding]) {
        self.file = file
        self.findings = findings
        result = .failure(Problem(error))
    }

    var failure: Problem? {
        if case .failure(let failure) = result { failure } else { nil }
    }
}

/// A release for a CI job; nothing in it expires or grants access.
struct PublishedRelease {
    let app, name, release, channel, sha256: String
    let tag, commit: String?
    /// The install page.
    let url: String
    /// False for bytes that were already published.
    let isCreated: Bool
    /// When the build expires, and how many devices can install it, as sentences.
    let outlook: [String]
}
