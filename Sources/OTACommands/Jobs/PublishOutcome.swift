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

    /// A refusal; what an inspection found is in the error.
    init(refusal error: any Error, file: String, findings: [Finding]) {
        self.file = file
        self.findings = findings
        result = .failure(Problem(error))
    }

    var failure: Problem? {
        if case .failure(let failure) = result { failure } else { nil }
    }
}

/// A release as a CI job gets it: nothing in here expires or grants access.
struct PublishedRelease {
    let app, name, release, channel, sha256: String
    let tag, commit: String?
    /// The install page.
    let url: String
    /// False for bytes that were there already.
    let isCreated: Bool
    /// Until when it installs, and on how many devices: sentences.
    let outlook: [String]
}
