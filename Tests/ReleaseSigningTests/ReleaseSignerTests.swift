import Bytes
import Cryptography
import Foundation
import Identifiers
import Inspection
import Jobs
import Provenance
import Publishing
import ReleaseSigning
import Releases
import Sample
import Signing
import Store
import TestSupport
import Testing

/// From a published release to one that more devices can install, and what prevents a signing.
struct ReleaseSignerTests {
    private func withRoom(_ body: (SigningRoom) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in try await body(SigningRoom(in: folder)) }
    }

    @Test func `a device that was lacking installs the release once it is signed again`()
        async throws
    {
        try await withRoom { room in
            let udid = try #require(DeviceUDID(SampleDevices.list(3)[2]))
            let device = DeviceFacts(udid: udid)
            let before = try room.store.report(of: room.release)
            #expect(before.verdict(for: device, at: room.date).verdict == .blocked)

            let job = try room.queue([try room.profile(devices: 3)])
            try await room.run()
            let ended = try #require(try room.store.job(job.identifier))
            #expect(ended.state == .done, "\(ended.reason ?? "")")

            let signed = try room.current()
            #expect(signed.identifier == room.release.identifier)
            #expect(signed.sha256 != room.release.sha256)
            #expect(signed.lastSigning?.devices == 3 && signed.lastSigning?.by == "ada")
            let after = try room.store.report(of: signed)
            #expect(after.verdict(for: device, at: room.date + 7200).verdict == .installs)
            #expect(try room.store.open(room.release.sha256).size == room.release.size)
            #expect(try room.store.verify().problems == [])
            #expect(try room.store.activity(count: 1).map(\.event) == [.signedAgain])

            let proven = try room.store.proven(signed)
            #expect(proven.statement.signing?.from == room.release.sha256.description)
            #expect(proven.statement.signing?.profiles == after.profileUUIDs)
        }
    }

    @Test func `a profile with 12,000 devices signs a release for all of them`() async throws {
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 12_000)])
            try await room.run()
            let ended = try #require(try room.store.job(job.identifier))
            #expect(ended.state == .done && ended.devices == 12_000, "\(ended.reason ?? "")")
            let signed = try room.current()
            #expect(signed.lastSigning?.devices == 12_000)
            let report = try room.store.report(of: signed)
            let last = try #require(DeviceUDID(SampleDevices.list(12_000)[11_999]))
            #expect(
                report.verdict(for: DeviceFacts(udid: last), at: room.date + 7200).verdict
                    == .installs
            )
        }
    }

    @Test func `a step that is done again counts for nothing before it is recorded`() async throws {
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 3)])
            var made: [SHA256Digest] = []
            for _ in 0..<2 {
                let copy = try await room.make(job)
                made.append(try #require(copy.signing?.made).sha256)
            }
            // ECDSA signatures differ each time; RSA signatures, as by Apple's leaf certificates, do not.
            for digest in made { #expect(try room.store.open(digest).size > 0) }
            // Nothing takes effect before it is recorded.
            #expect(try room.current() == room.release)
        }
    }

    @Test func `the same profiles again change nothing`() async throws {
        try await withRoom { room in
            let profile = try room.profile(devices: 3)
            _ = try room.queue([profile])
            try await room.run()
            let signed = try room.current()
            let again = try room.queue([profile])
            try await room.run()
            #expect(try room.store.job(again.identifier)?.signing?.isUnchanged == true)
            #expect(try room.current() == signed)
        }
    }

    @Test func `a disk without room for the signed file signs nothing`() async throws {
        try await withRoom { room in
            var job = try room.queue([try room.profile(devices: 3)])
            try await room.worker().step(job).change(&job)
            let worker = room.worker(keepingFree: .max)
            let copy = job
            let error = await #expect(throws: ReleaseSigningRefusal.self) {
                _ = try await worker.step(copy)
            }
            #expect(error?.id == "signing.no-room")
        }
    }

    @Test func `what cannot be signed says why`() async throws {
        try await withRoom { room in
            let other = try room.profile(devices: 3, for: "com.example.other")
            let job = try room.queue([other])
            try await room.run()
            let failed = try #require(try room.store.job(job.identifier))
            #expect(failed.state == .failed && failed.attempts == 1)
            #expect(failed.reason?.contains(SigningRoom.app) == true)

            let means = try SigningMeans(
                #require(try room.store.team(room.team)),
                given: [try room.profile(devices: 3)],
                in: room.store,
                trusting: room.anchors,
                at: room.date,
            )
            let proposal = try means.proposal(for: room.release, in: room.store, at: room.date)
            #expect(proposal.gained.count == 1 && proposal.lost.isEmpty && !proposal.isUnchanged)
            var release = room.release
            release.withdrawal = .init(date: room.date, actor: "ada", reason: "")
            #expect(throws: ReleaseSigningRefusal.withdrawn(release.identifier)) {
                try means.proposal(for: release, in: room.store, at: room.date)
            }
            release.withdrawal = nil
            func fault(
                _ profile: [UInt8],
                at date: Date,
            ) throws -> (id: String?, place: String?) {
                let means = try SigningMeans(
                    #require(try room.store.team(room.team)),
                    given: [profile],
                    in: room.store,
                    trusting: room.anchors,
                    at: date,
                )
                let refusal = #expect(throws: ReleaseSigningRefusal.self) {
                    try means.proposal(for: room.release, in: room.store, at: date)
                }
                return (refusal?.id, refusal?.place)
            }
            let brief = try room.profile(devices: 3, until: 7200)
            let expired = try fault(brief, at: room.date + 7300)
            #expect(expired.id == "signing.profile-expired" && expired.place == "profile 1")
            #expect(try fault(other, at: room.date).id == "signing.profile-missing")
            release.droppedArchives = [release.original.sha256]
            #expect(throws: ReleaseSigningRefusal.originalPruned(release.identifier)) {
                try means.proposal(for: release, in: room.store, at: room.date)
            }
        }
    }

    @Test func `an unsigned build of an app that is not set to it is not signed`() async throws {
        try await withRoom { room in
            let signer = SignerInProcess(
                identity: room.authority.distribution,
                anchors: room.anchors,
            )
            let input = room.folder.appending(path: "build.ipa").path()
            let output = room.folder.appending(path: "signed.ipa").path()
            let unsigned = UnsignedBuildSigner(room.store, by: signer, trusting: room.anchors)
            await #expect(throws: ReleaseSigningRefusal.manual(app: SigningRoom.app)) {
                _ = try await unsigned.sign(input, to: output, at: room.date)
            }
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func `an app that the store does not know is told by the command that adds it`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let store = try OTAStore.openOrCreate(at: folder.path() + "store", now: Date())
            let signer = UnsignedBuildSigner(store, by: nil, trusting: .apple)
            let identifier = try #require(BundleIdentifier("com.example.new"))
            let refusal = #expect(throws: ReleaseSigningRefusal.noApp("com.example.new")) {
                try signer.requireAutomatic(identifier)
            }
            #expect(refusal?.fix.contains("ota apps add com.example.new --team") == true)
            #expect(throws: ReleaseSigningRefusal.noApp("BUNDLE-ID")) {
                try signer.requireAutomatic(nil)
            }
        }
    }

    @Test func `all bundles that lack a profile of the team are named at once`() async throws {
        try await withTemporaryFolder { folder in
            let date = Date(timeIntervalSince1970: 1_800_000_000)
            let authority = try SigningAuthority.cached()
            let anchors = TrustAnchors.apple.adding([authority.root.certificate])
            let file = folder.appending(path: "forks.ipa").path()
            try SampleApps.forks(by: authority, at: date).build(to: file)
            let report = try Examination(anchors: anchors, date: date)
                .inspect(FileSource(path: file)).report
            func choose(_ identifiers: [String]) throws -> ProfileChoice {
                let profiles = try identifiers.map { identifier in
                    let bytes = try ProfileBuilder(
                        .adHoc,
                        devices: SampleDevices.list(2),
                        created: date,
                    ).bytes(for: .init(bundleIdentifier: identifier), by: authority)
                    return try SigningProfile(
                        bytes,
                        at: identifier,
                        trusting: anchors,
                        date: date,
                    )
                }
                return try ProfileChoice(
                    for: report,
                    among: profiles,
                    of: "T",
                    signedBy: nil,
                    at: date.addingTimeInterval(1),
                )
            }
            let app = "com.example.forks"
            let parts = [
                ".ForksWidget", ".ForksShare", ".ForksLiveActivity", ".watchkitapp",
                ".watchkitapp.ForksComplication",
            ].map { app + $0 }
            let refusal = #expect(throws: ReleaseSigningRefusal.self) { try choose([app]) }
            guard case .noProfile(let bundles, "T", isMadeHere: false) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(Set(bundles) == Set(parts) && bundles.count == parts.count)
            for part in parts { #expect(refusal?.description.contains("“\(part)”") == true) }
            #expect(refusal?.place == bundles.joined(separator: ", "))
            #expect(try choose([app] + parts).profiles.count == 6)
            let one = ReleaseSigningRefusal.noProfile(
                bundles: [parts[1]],
                team: "T",
                isMadeHere: false,
            )
            #expect(throws: one) { try choose([app] + parts.filter { $0 != parts[1] }) }
        }
    }
}
