import Bundles
import Cryptography
import Essentials
import Identifiers
package import Releases

/// The origin of a release: an in-toto statement 1 with the predicate SLSA provenance 1.
///
/// The server itself performed the publishing, so it is the builder of that (``publishType``); the
/// statement includes the publisher, and what the publisher reported about the build. The server has
/// observed only the builds of its own mirrors (``buildType``).
package struct ProvenanceStatement: Codable, Sendable, Equatable {
    package static let payloadType = "application/vnd.in-toto+json"
    static let statementType = "https://in-toto.io/Statement/v1"
    static let predicateType = "https://slsa.dev/provenance/v1"
    /// The publisher has reported the parameters and the source.
    static let publishType = "urn:ota:publish:1"
    /// This server has observed the parameters and the source.
    static let buildType = "urn:ota:build:1"

    package struct Subject: Codable, Sendable, Equatable {
        package let name: String
        package let digest: [String: String]
    }

    package struct Predicate: Codable, Sendable, Equatable {
        package let buildDefinition: BuildDefinition
        package let runDetails: RunDetails
    }

    package struct BuildDefinition: Codable, Sendable, Equatable {
        package let buildType: String
        package let externalParameters: Parameters
        package let internalParameters: [String: String]
        package let resolvedDependencies: [Source]
    }

    /// The parameters of the build; those not reported are absent.
    package struct Parameters: Codable, Sendable, Equatable {
        package let bundleIdentifier, version, build: String
        package let repository: String?
        package let tag: String?
        package let pipeline: String?
        /// Who built it, and in which run, as the publisher reported.
        package let builder, run: String?
    }

    /// The commit from which it was built.
    package struct Source: Codable, Sendable, Equatable {
        package let uri: String
        package let digest: [String: String]
    }

    package struct RunDetails: Codable, Sendable, Equatable {
        package struct Builder: Codable, Sendable, Equatable {
            package let id: String
        }

        package struct Metadata: Codable, Sendable, Equatable {
            package let invocationId: String?
            /// When the release was published.
            package let finishedOn: String
        }

        package let builder: Builder
        package let metadata: Metadata
    }

    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case subject, predicateType, predicate
    }

    package let type: String
    package let subject: [Subject]
    package let predicateType: String
    package let predicate: Predicate

    /// Creates the statement for a release.
    ///
    /// - Parameters:
    ///   - release: the release to be stored.
    ///   - instance: the name of the publishing store.
    ///   - signing: the signing that the statement is for; nil for the published IPA.
    package init(of release: Release, instance: String, signing: Release.Signing? = nil) {
        let archive = signing?.archive ?? release.original
        let origin = release.origin
        let isBuiltHere = release.isBuiltHere == true
        type = Self.statementType
        subject = [
            Subject(
                name: "\(release.bundleIdentifier)-\(release.identifier).ipa",
                digest: ["sha256": archive.sha256.description],
            )
        ]
        predicateType = Self.predicateType
        let repository = origin?.repository
        let dependency = release.commit.map { commit in
            let tag = release.tag.map { "@refs/tags/\($0)" } ?? ""
            return Source(
                uri: repository.map { "git+\($0)\(tag)" } ?? "urn:git:commit:\(commit)",
                digest: ["gitCommit": commit],
            )
        }
        predicate = Predicate(
            buildDefinition: BuildDefinition(
                buildType: isBuiltHere ? Self.buildType : Self.publishType,
                externalParameters: Parameters(
                    bundleIdentifier: release.bundleIdentifier.rawValue,
                    version: release.version,
                    build: release.build,
                    repository: repository,
                    tag: release.tag,
                    pipeline: origin?.pipeline,
                    builder: isBuiltHere ? nil : origin?.builder,
                    run: isBuiltHere ? nil : origin?.run,
                ),
                internalParameters: ["publisher": release.publisher]
                    .merging(release.isSignedHere == true ? ["signer": "this server"] : [:]) {
                        _,
                        new in new
                    }
                    .merging(signing?.parameters ?? [:]) { _, new in new },
                resolvedDependencies: [dependency, signing.map(Source.init(of:))]
                    .compactMap(\.self),
            ),
            runDetails: RunDetails(
                builder: RunDetails.Builder(
                    id: (isBuiltHere ? origin?.builder : nil) ?? "urn:ota:store:\(instance)"
                ),
                metadata: RunDetails.Metadata(
                    invocationId: isBuiltHere ? origin?.run : nil,
                    finishedOn: release.published.formatted(.iso8601),
                ),
            ),
        )
    }

    /// How the server made the IPA from the published one; nil for the published IPA.
    package var signing: ServerSigning? { ServerSigning(predicate.buildDefinition) }

    /// Whether the server that signed the statement also built the IPA.
    package var isBuiltHere: Bool { predicate.buildDefinition.buildType == Self.buildType }

    /// The builder; nil if unknown.
    package var builder: String? {
        isBuiltHere
            ? predicate.runDetails.builder.id
            : predicate.buildDefinition.externalParameters.builder
    }

    /// The run that built it; nil if unknown.
    package var run: String? {
        predicate.runDetails.metadata.invocationId
            ?? predicate.buildDefinition.externalParameters.run
    }

    /// The statement in JSON with sorted keys: the same release gives the same bytes.
    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }

    /// Parses a payload whose signature was verified.
    ///
    /// - Throws: ``ProvenanceRefusal/unreadable(_:)`` for another kind of statement.
    package init(json: [UInt8]) throws(ProvenanceRefusal) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw .unreadable("it is not an SLSA statement")
        }
        guard type == Self.statementType, predicateType == Self.predicateType else {
            throw .unreadable("it is a statement of another kind")
        }
    }
}
