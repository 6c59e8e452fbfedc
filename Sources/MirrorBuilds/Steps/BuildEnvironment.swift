import Bytes
import Identifiers
import Mirrors
import Releases
import Versions

/// The variables that a step finds, and all that it finds.
struct BuildEnvironment {
    let mirror: Mirror
    let run: MirrorRun
    let facts: VersionFacts
    let place: Workspace

    /// Before those of the pipeline, which may change the first four.
    var own: [String: String] {
        var variables = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8", "TERM": "dumb", "SHELL": "/bin/sh",
        ]
        variables.merge(fixed) { _, new in new }
        return variables
    }

    private var fixed: [String: String] {
        var variables = facts.environment
        variables["HOME"] = place.home
        variables["TMPDIR"] = place.temporary
        variables["CI"] = "true"
        variables["OTA_MIRROR"] = mirror.name.rawValue
        variables["OTA_BUILD"] = String(run.number)
        variables["OTA_CAUSE"] = run.cause.rawValue
        variables["OTA_WORKSPACE"] = place.checkout
        if let branch = run.reference?.droppingPrefix("refs/heads/") {
            variables["BRANCH"] = branch
        }
        return variables
    }
}
