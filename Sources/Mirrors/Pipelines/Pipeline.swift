package import Identifiers
import Releases

/// What a repository, or its admin, wants done with a commit: `.ota/pipeline.yml`.
package struct Pipeline: Sendable, Equatable {
    package var name: String?
    /// Folders that must be in the commit, or there is nothing to do.
    package var requires: [String] = []
    package var environment: [String: String] = [:]
    /// Seconds for the whole build.
    package var timeout: Int?
    package var steps: [Step] = []
    package var artifacts: [ArtifactRule] = []
    package var publish = PublishRules()

    /// When something is done.
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

    /// Which machine runs a step.
    package enum Place: Sendable, Equatable {
        /// The one that the server is on.
        case server
        /// A runner that has all of these labels.
        case runner([RunnerLabel])
    }

    package struct ArtifactRule: Sendable, Equatable {
        package enum IfMissing: String, Sendable, CaseIterable {
            case warn, error, ignore
        }

        /// Relative to the checkout; `*`, `?` and `**` stand for names.
        package let path: String
        package var ifMissing = IfMissing.warn
        package var conditions: [Condition] = [.always]
        /// The file, relative to the checkout, with what an app claims that no one has signed.
        package var entitlements: String?
        /// The same of bundles inside it, by bundle identifier.
        package var nestedEntitlements: [String: String] = [:]
    }

    package struct PublishRules: Sendable, Equatable {
        /// Where a build of one cause goes.
        package enum Target: Sendable, Equatable {
            /// By the version: `stable`, the word of a pre-release, or `dev`.
            case version
            case channel(ChannelName)
            case nowhere
        }

        package var tag = Target.version
        package var branch = Target.version
        package var manual = Target.version
        /// Whether an IPA of another version than the tag's is published all the same.
        package var allowsOtherVersion = false
    }
}
