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

    /// Whether the server alone sets it.
    static func isReserved(_ name: String) -> Bool {
        reserved.contains(name) || name.hasPrefix("OTA_")
    }

    /// Letters, digits and underscores, not beginning with a digit.
    static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, first > UInt8(ascii: "9") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static let reserved: Set = [
        "TAG", "VERSION", "MARKETING_VERSION", "BUILD_NUMBER", "CHANNEL", "COMMIT", "NOTES",
        "HOME", "TMPDIR", "CI", "BRANCH",
    ]
}
