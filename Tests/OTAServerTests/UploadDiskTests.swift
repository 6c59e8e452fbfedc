import Access
import Foundation
import HTTPServing
import Logging
import Releases
import Store
import TestSupport
import Testing
import Uploads

@testable import API

/// Uploads to a disk that is full or fails, and the resources that they may use.
@Suite(.timeLimit(.minutes(10)))
struct UploadDiskTests {
    private let clock = TestClock()
    private let principal = Principal.local("ci")

    /// Runs `body` with a store of one release, on a disk that can fail.
    private func withStore(
        _ body: (_ store: OTAStore, _ disk: FaultyBackend, _ offer: UploadOffer) throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let plain = try OTAStore.openOrCreate(
                at: folder.appending(path: "store").path(),
                now: Date(),
            )
            let release = try TestSite.publish(TestSite.bytes(count: 5000), into: plain)
            var offer = UploadOffer(size: release.size, sha256: release.sha256)
            offer.app = release.bundleIdentifier
            offer.version = release.version
            offer.build = release.build
            let disk = FaultyBackend(plain.backend)
            try body(OTAStore(backend: disk), disk, offer)
        }
    }

    private func desk(_ store: OTAStore, _ limits: UploadLimits? = nil) throws -> UploadService {
        var usual = UploadLimits()
        usual.reserve = 0
        let clock = clock
        return try UploadService(
            store,
            limits: limits ?? usual,
            clock: { clock.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        )
    }

    /// Begins an upload of 2000 bytes and sends the given number of them.
    private func begin(_ desk: UploadService, sending count: Int) throws -> UploadSession {
        let beginning = try desk.begin(UploadOffer(size: 2000), by: principal)
        guard case .session(let session, true) = beginning else { throw NotNew() }
        try send(count, to: session, session.takeOver(at: clock.now))
        return session
    }

    private struct NotNew: Error {}

    private func send(_ count: Int, to session: UploadSession, _ lease: WriteLease) throws {
        try unsafe [UInt8](repeating: 7, count: count).withUnsafeBytes {
            try unsafe session.append(FullWindow(bytes: $0), lease)
        }
    }

    @Test func `an upload can be given up on a full disk`() async throws {
        try await withStore { store, disk, _ in
            let desk = try desk(store)
            let session = try begin(desk, sending: 1000)
            disk.refuse(.write, .sync, of: "")
            try desk.cancel(session)
            #expect(throws: UploadRefusal.unknown) {
                try desk.session("\(session.identifier)", of: principal)
            }
            #expect(try store.backend.uploads() == [])
            #expect(try store.uploads().there.isEmpty)
        }
    }

    @Test func `a stale upload that the disk keeps is in nobody's way`() async throws {
        try await withStore { store, disk, _ in
            let first = try desk(store)
            let left = try (0..<3).map { _ in try begin(first, sending: 10).identifier }
            disk.refuse(.remove, of: "\(left[1])")
            clock.advance(by: UploadLimits().idleTime + 10)
            let new = try begin(first, sending: 10).identifier
            #expect(Set(try store.uploads().there.map(\.identifier)) == [left[1], new])
            // The next server process starts nevertheless, and keeps trying.
            let second = try desk(store)
            #expect(Set(second.sessions.map(\.identifier)) == [left[1], new])
            disk.fix()
            second.purge()
            #expect(try store.uploads().there.map(\.identifier) == [new])
        }
    }

    @Test(arguments: [0, 600])
    func `bytes that a disk has lost are wanted again`(settled: Int) async throws {
        try await withStore { store, disk, _ in
            let session = try begin(try desk(store), sending: settled)
            let lease = try session.takeOver(at: clock.now)
            try send(1000, to: session, lease)
            disk.refuse(.sync, of: "")
            #expect(throws: StoreFailure.self) { try session.rest(lease, at: clock.now) }
            #expect(session.status.offset == settled)
            // The disk reports the error once.
            disk.fix()
            let next = try session.takeOver(at: clock.now)
            #expect(next.offset == settled && session.record.lasting == settled)
            try send(2000 - settled, to: session, next)
            #expect(try session.complete(next, at: clock.now))
            #expect(try session.whole().blob.count == 2000)
        }
    }

    @Test func `an answer that is kept stays, whatever becomes of the bytes`() async throws {
        try await withStore { store, disk, _ in
            let session = try begin(try desk(store), sending: 2000)
            #expect(try session.complete(try session.takeOver(at: clock.now), at: clock.now))
            disk.refuse(.remove, of: "")
            let answer = UploadAnswer(status: 201, body: "{}\n")
            try session.finish(
                answer,
                at: clock.now,
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            )
            #expect(session.record.state == .finished && session.record.answer == answer)
            #expect(try store.uploads().there.map(\.answer) == [answer])
        }
    }

    @Test func `offers of bytes that are there are bounded too`() async throws {
        var limits = UploadLimits()
        limits.reserve = 0
        limits.perToken = 3
        try await withStore { store, _, offer in
            let desk = try desk(store, limits)
            for number in 0..<3 {
                var other = offer
                other.notes = "\(number)"
                guard case .known = try desk.begin(other, by: principal) else { throw NotNew() }
            }
            #expect(throws: UploadRefusal.tooMany(3, ofToken: true)) {
                try desk.begin(offer, by: principal)
            }
            #expect(try store.uploads().there.count == 3)
        }
    }

    @Test func `room is kept for a while for what does not come, and asked for again`()
        async throws
    {
        try await withStore { store, _, _ in
            let desk = try desk(store)
            let session = try begin(desk, sending: 0)
            let started = try begin(desk, sending: 500)
            #expect(desk.reserved() == 3500)
            #expect(desk.reserved(beside: session.identifier) == 1500)
            clock.advance(by: UploadLimits().promiseTime + 2)
            #expect(desk.reserved() == 0)
            started.began()
            #expect(desk.reserved() == 1500, "a request brings its bytes")
            started.ended(cut: true)
            #expect(desk.sessions.count == 2, "both can go on for a day")
        }
    }

    @Test func `an upload belongs to the person in any session, and admins may have it`()
        async throws
    {
        let issuer = try #require(IssuerURL("https://id.example.com"))
        let settings = SignInSettings(
            issuer: issuer,
            clientID: "ota",
            clientSecret: nil,
            name: "ID",
            roleClaim: "groups",
            grants: [RoleGrant(.publisher, to: .claim("dev"))],
            scopes: [],
            changed: clock.now,
        )
        func someone(_ subject: String, _ number: Int) throws -> Principal {
            let person = Person(issuer: issuer, subject: subject, roleValues: ["dev"])
            let session = PersonSession(
                identifier: "0123456789abcdef0123456789abcde\(number)",
                origin: .provider(person, clientID: "ota"),
                lifetime: 3600,
                at: clock.now,
            )
            return try #require(session.principal(under: settings, at: clock.now))
        }
        try await withStore { store, _, _ in
            let desk = try desk(store)
            let ana = try someone("ana", 1)
            guard case .session(let upload, true) = try desk.begin(UploadOffer(size: 9), by: ana)
            else { throw NotNew() }
            let name = "\(upload.identifier)"
            #expect(try desk.session(name, of: someone("ana", 2)) === upload)
            let ben = try someone("ben", 3)
            for isForAdmins in [true, false] {
                #expect(throws: UploadRefusal.unknown) {
                    try desk.session(name, of: ben, isForAdmins: isForAdmins)
                }
            }
            let admin = Principal.local("ada")
            #expect(throws: UploadRefusal.unknown) { try desk.session(name, of: admin) }
            #expect(try desk.session(name, of: admin, isForAdmins: true) === upload)
        }
    }

    @Test(arguments: [true, false])
    func `the same offer of bytes that are there waits once`(isThere: Bool) async throws {
        try await withStore { store, _, offer in
            let desk = try desk(store)
            var offer = offer
            if !isThere { offer.build = "35" }
            let first = try desk.begin(offer, by: principal)
            if case .session(let session, true) = first {
                let lease = try session.takeOver(at: clock.now)
                try send(offer.size, to: session, lease)
                try desk.complete(session, lease)
            }
            let again = try desk.begin(offer, by: principal)
            // Of two uploads of a build, only one has created its release.
            if case .session(_, isNew: true) = again {
                #expect(!isThere)
            } else {
                #expect(isThere)
            }
            #expect(desk.sessions.count == (isThere ? 1 : 2))
        }
    }
}
