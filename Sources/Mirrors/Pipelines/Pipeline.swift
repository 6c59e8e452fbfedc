package import Identifiers
import Releases

/// How to build a commit, as its repository or the admin defines it: `.ota/pipeline.yml`.
package struct Pipeline: Sendable, Equatable {
    package var name: String?
    /// Folders that must be in the commit; otherwise the build is skipped.
    package var requires: [String] = []
    package var environment: [String: String] = [:]
    /// The time limit of the whole build, in seconds; nil for the mirror's.
    package var timeout: Int?
    package var steps: [Step] = []
    package var artifacts: [ArtifactRule] = []
    package var publish = PublishRules()

    /// When a step is run or an artifact is delivered.
    package enum Condition: String, Sendable, CaseIterable {
        case always, tag, manual
    }

    package struct Step: Sendable, Equatable {
        package let name: String
        package let run: String
        package var place = Place.server
        package var conditions: [Condition] = [.always]
        package var workingDirectory: String?
        package var timeout: Int?
        package var environment: [String: String] = [:]
    }

    /// The machine that runs a step.
    package enum Place: Sendable, Equatable {
        /// The server's own machine.
        case server
        /// A runner that has all of these labels.
        case runner([RunnerLabel])
    }

    package struct ArtifactRule: Sendable, Equatable {
        package enum IfMissing: String, Sendable, CaseIterable {
            case warn, error, ignore
        }

        /// A pattern relative to the checkout, with `*`, `?` and `**` as wildcards.
        package let path: String
        package var ifMissing = IfMissing.warn
        package var conditions: [Condition] = [.always]
        /// The file, relative to the checkout, with the entitlements that an unsigned app claims.
        package var entitlements: String?
        /// The same files for bundles inside the app, by bundle identifier.
        package var nestedEntitlements: [String: String] = [:]
    }

    package struct PublishRules: Sendable, Equatable {
        /// The channel on which a build of one cause is published.
        package enum Target: Sendable, Equatable {
            /// By the version: `stable`, the identifier of a prerelease, or `dev`.
            case version
            case channel(ChannelName)
            case nowhere
        }

        package var tag = Target.version
        package var branch = Target.version
        package var manual = Target.version
        /// Whether an IPA whose version differs from the tag's is still published.
        package var allowsOtherVersion = false
    }
}
