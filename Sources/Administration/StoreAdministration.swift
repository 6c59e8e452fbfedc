package import APIDocuments
import Bundles
import Enrolment
import Foundation
import Identifiers
package import MirrorBuilds
import Publishing
package import Releases

/// What commands act on: a store on this machine, or a running server.
///
/// Apps, releases, tokens and profiles go by the names that people use for them. Answers are the
/// documents that commands print as JSON.
package protocol StoreAdministration: Sendable {
    /// Where testers reach the server; nil where nobody has said so yet.
    func baseURL() async throws -> BaseURL?
    /// The releases of one app or of all, at most `limit` of each, the newest first.
    func releases(of app: String?, limit: Int) async throws -> ReleasesDocument

    /// Performs an action here, or has the server perform it.
    func perform<Performed: StoreAction>(_ action: Performed) async throws -> Performed.Answer
    where Performed.Answer: Decodable
    /// As above, for an action that waits for another server.
    func perform<Performed: WaitingAction>(_ action: Performed) async throws -> Performed.Answer
    where Performed.Answer: Decodable

    func mirrors() async throws -> MirrorsDocument
    /// A mirror with its latest builds.
    func mirror(_ name: String) async throws -> MirrorDetailDocument
    func addMirror(_ mirror: NewMirror) async throws -> MirrorEntryDocument
    func changeMirror(
        _ name: String,
        _ change: MirrorChangeRequest,
    ) async throws -> MirrorEntryDocument
    /// Releases that it made stay.
    func removeMirror(_ name: String) async throws -> RemovedMirrorDocument
    func build(_ number: Int, of mirror: String) async throws -> RunDocument
    /// Builds of all mirrors that wait or run, the oldest first.
    func waitingBuilds() async throws -> RunsDocument
    func cancelBuild(_ number: Int, of mirror: String) async throws -> RunDocument
    /// What a build's log has behind an offset, at most a megabyte.
    func log(of build: Int, _ mirror: String, from offset: Int) async throws -> LogPiece
    /// Writes what a build made and kept into a file; says how many bytes.
    func saveArtifact(
        _ path: String,
        of build: Int,
        _ mirror: String,
        to file: String,
    ) async throws -> Int
}
