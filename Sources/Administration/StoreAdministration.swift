package import APIDocuments
import Bundles
package import Enrolment
package import Foundation
package import Identifiers
package import MirrorBuilds
package import Publishing
package import Releases

/// What commands act on: a store on this machine, or a running server.
///
/// Apps, releases, tokens and profiles go by the names that people use for them. Answers are the
/// documents that commands print as JSON.
package protocol StoreAdministration: Sendable {
    /// Where testers reach the server; nil where nobody has said so yet.
    func baseURL() async throws -> BaseURL?
    func apps() async throws -> AppsDocument
    func app(_ app: String) async throws -> AppDocument
    func changeApp(_ app: String, _ change: AppChange) async throws -> AppDocument

    /// The releases of one app or of all, at most `limit` of each, the newest first.
    func releases(of app: String?, limit: Int) async throws -> ReleasesDocument
    func release(_ release: String, of app: String) async throws -> ReleaseCardDocument
    /// The verdict for every device; nil names what the default channel offers.
    func verdicts(of release: String?, of app: String) async throws -> RegisterDocument
    func withdraw(
        _ release: String,
        of app: String,
        reason: String,
    ) async throws -> ReleaseDocument
    func restore(_ release: String, of app: String) async throws -> ReleaseDocument
    func promote(
        _ release: String,
        of app: String,
        to channel: ChannelName,
    ) async throws -> ReleaseDocument
    func changeNotes(
        of release: String,
        of app: String,
        to notes: String,
    ) async throws -> ReleaseDocument
    /// The statement of where a release came from; `digesting` reads the whole IPA.
    func provenance(
        of release: String,
        of app: String,
        digesting: Bool,
    ) async throws -> ProvenanceDocument
    func prune(_ app: String, _ prune: Prune) async throws -> PruneDocument

    /// The devices in use, or all that the register knows.
    func devices(all: Bool) async throws -> DevicesDocument
    func device(_ udid: DeviceUDID) async throws -> DeviceDocument
    func addDevice(_ device: NewDevice) async throws -> DeviceDocument
    func rename(_ udid: DeviceUDID, to name: String) async throws -> DeviceDocument
    /// Those that waited until now; nil is every one that waits.
    func approve(_ udids: [DeviceUDID]?) async throws -> DevicesDocument
    func remove(_ udid: DeviceUDID, erasing: Bool) async throws -> DeviceDocument
    func exportDevices(all: Bool) async throws -> ExportDocument
    func importDevices(_ listing: DeviceListing) async throws -> ImportDocument
    func slots() async throws -> SlotsDocument
    func renewMembership(on day: Date) async throws -> SlotsDocument

    func invitations(all: Bool) async throws -> InvitationsDocument
    func invite(_ invitation: NewInvitation) async throws -> SentInvitationDocument
    func revokeInvitation(_ identifier: InvitationIdentifier) async throws -> InvitationDocument

    func profiles() async throws -> ProfilesDocument
    func profile(_ profile: String) async throws -> RegisteredProfileDocument
    func profilesExpiring(within seconds: TimeInterval) async throws -> ProfilesDocument
    /// Watches a profile's expiry; `place` is where its bytes come from.
    func addProfile(_ bytes: [UInt8], from place: String) async throws -> ProfilesDocument

    /// Performs an action here, or has the server perform it.
    func perform<Performed: StoreAction>(_ action: Performed) async throws -> Performed.Answer
    /// As above, for an action that waits for another server.
    func perform<Performed: WaitingAction>(_ action: Performed) async throws -> Performed.Answer

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

    /// What happened last, newest first.
    func activity(count: Int) async throws -> ActivityDocument
}
