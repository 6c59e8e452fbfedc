import Bytes
import Identifiers
import Mirrors
import Releases
import Versions

/// The environment variables of a step, which has no others.
struct BuildEnvironment {
    let mirror: Mirror
    let run: MirrorRun
    let facts: VersionFacts

    /// The variables of a step on the server, before those of the pipeline, which may change `PATH` and the
    /// first three of ``elsewhere``.
    func inside(_ workspace: Workspace) -> [String: String] {
        elsewhere.merging([
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": workspace.home, "TMPDIR": workspace.temporary,
            "OTA_WORKSPACE": workspace.checkout,
        ]) { _, new in new }
    }

    /// The variables of a step on a runner, which adds the paths that only it knows.
    var elsewhere: [String: String] {
        var variables = ["LANG": "C.UTF-8", "TERM": "dumb", "SHELL": "/bin/sh"]
        variables.merge(facts.environment) { _, new in new }
        variables["CI"] = "true"
        variables["OTA_MIRROR"] = mirror.name.rawValue
        variables["OTA_BUILD"] = String(run.number)
        variables["OTA_CAUSE"] = run.cause.rawValue
        if let branch = run.reference?.droppingPrefix("refs/heads/") {
            variables["BRANCH"] = branch
        }
        return variables
    }
}
