import APIDocuments
import Access
import Administration
import Bundles
import Cryptography
package import Foundation
import Inspection
package import Logging
import Publishing
package import Releases
import Sandboxing
import SiteServices
package import Store
import Uploads

/// Publishes a complete upload as a release, or stores an answer that says why it cannot be published.
package struct UploadPublishing: Sendable {
    let store: OTAStore
    let links: Links
    let capabilities: CapabilityAuthority
    let clock: @Sendable () -> Date
    let logger: Logger
    /// Nil if there is no program to try builds with; then a build whose publish was interrupted is given
    /// up.
    private let trial: UploadTrial?

    /// - Parameters:
    ///   - store: the store to publish into.
    ///   - links: the URLs in answers.
    ///   - capabilities: creates the paths that authorise installs.
    ///   - clock: returns the current time.
    ///   - logger: receives failures.
    ///   - program: the path of the `ota` that tries builds; nil if there is none.
    package init(
        store: OTAStore,
        links: Links,
        capabilities: CapabilityAuthority,
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
        program: String?,
    ) {
        self.store = store
        self.links = links
        self.capabilities = capabilities
        self.clock = clock
        self.logger = logger
        trial = program.map { UploadTrial(program: $0, logger: logger) }
    }

    /// Whether a complete upload can be published: after an interrupted attempt, its build is first tried
    /// in a separate process.
    func trial(of session: UploadSession) async -> UploadTrial.Outcome {
        guard session.wasInterrupted else { return .survived }
        logger.warning(
            "a publish was interrupted; its build is tried again in a process of its own",
            metadata: ["upload": "\(session.identifier)"],
        )
        let (store, sha256) = (store, session.offer.sha256)
        let found = try? await blocking { try store.file(of: session.identifier, sha256: sha256) }
        guard let trial, let root = store.workFolder?.root, let file = found ?? nil else {
            return .ended
        }
        // The work folder of a bucket is not a store: the build is tried as the first one of a new store.
        return await trial.outcome(
            of: file,
            store: store.isElsewhere ? root + "/trial" : root,
            in: root,
        )
    }

    /// Stores the answer that the build is not published because it crashes the process; blocks.
    func setAside(_ session: UploadSession) {
        logger.error(
            "a build cannot be published: it crashed the server and a process of its own",
            metadata: ["upload": "\(session.identifier)"],
        )
        do {
            let answer = UploadAnswer(refusing: session.setAside, to: nil)
            try session.finish(answer, at: clock(), logger: logger)
        } catch {
            logger.error(
                "the answer to an upload could not be stored",
                metadata: ["reason": "\(error)"],
            )
            try? session.retreat(answer(refusing: error, session))
        }
    }

    /// Publishes an upload; blocks for seconds.
    ///
    /// An error of the build or the token becomes the final answer. After an error of the server, all bytes
    /// are kept, so that it can be tried again.
    func publish(_ session: UploadSession) {
        do {
            let answer: UploadAnswer
            do {
                try session.attempt()
                answer = try self.answer(to: session)
                if session.record.isCheck {
                    return try session.keep(checked: answer, at: clock())
                }
            } catch let refusal as StoredBytesDamaged {
                logger.error("a stored file is damaged", metadata: ["blob": "\(refusal.digest)"])
                return try session.retreat(nil, dropping: true)
            } catch {
                let answer = self.answer(refusing: error, session)
                guard answer.status >= 500 || error is StoreFailure else {
                    return try session.finish(answer, at: clock(), logger: logger)
                }
                logger.error("an upload could not be published", metadata: ["reason": "\(error)"])
                return try session.retreat(answer)
            }
            try session.finish(answer, at: clock(), logger: logger)
        } catch {
            // The record could not be written: the upload is unchanged, and is tried again at the next
            // start or when its client asks.
            logger.error(
                "the answer to an upload could not be stored",
                metadata: ["reason": "\(error)"],
            )
            try? session.retreat(answer(refusing: error, session))
        }
    }

    private func answer(to session: UploadSession) throws -> UploadAnswer {
        let record = session.record
        let offer = session.offer
        let date = clock()
        // Checked first, because validating the build takes minutes.
        _ = try holder(of: record)
        let publish = Publish(
            into: store,
            trusting: try anchors(),
            options: options(record, at: date),
            progress: { session.show($0) },
            admission: { try admit($0, as: record) },
        )
        let published = try hand(session, to: publish)
        var document = PublishDocument(
            of: published,
            at: PublishAddresses(
                of: published,
                on: offer.channel,
                links: links,
                capabilities: capabilities,
                at: date,
            ),
            RegisterVerdicts(of: published.report, for: try store.devices(), at: date),
        )
        document.checkOnly = record.isCheck ? true : nil
        return UploadAnswer(
            status: published.isCreated && !record.isCheck ? 201 : 200,
            body: try WireJSON.document(document),
        )
    }

    /// Passes the bytes on, once they match the expected digest.
    private func hand(_ session: UploadSession, to publish: Publish) throws -> PublishedBuild {
        let (blob, running) = try session.whole()
        if blob.count == 0, let sha256 = session.offer.sha256 {
            return try publish.file(try storedPath(sha256))
        }
        let found = try running ?? SHA256Digest(reading: blob.source())
        if let expected = session.offer.sha256, expected != found {
            throw UploadRefusal.wrongDigest(expected: expected, found: found)
        }
        if session.record.isCheck {
            return try publish.rehearse(blob.source(), sha256: found)
        }
        return try publish.arrived(blob, sha256: found)
    }

    /// The file of a blob that the store already had, after verifying its bytes.
    private func storedPath(_ sha256: SHA256Digest) throws -> String {
        // The file is verified while it is downloaded.
        if store.isElsewhere {
            do {
                return try store.file(of: sha256)
            } catch StoreFailure.damagedBlob {
                throw StoredBytesDamaged(digest: sha256)
            }
        }
        let stored = try store.open(sha256)
        guard try SHA256Digest(reading: stored.source) == sha256 else {
            throw StoredBytesDamaged(digest: sha256)
        }
        return try store.file(of: sha256)
    }

    /// Checks the build's identity before anything of it is stored.
    private func admit(_ build: Release.Identity, as record: UploadRecord) throws {
        try holder(of: record).requirePublish(on: build.bundleIdentifier)
        let offer = record.offer
        if let app = offer.app, app != build.bundleIdentifier {
            throw UploadRefusal.otherBuild(said: "\(app)", found: "\(build.bundleIdentifier)")
        }
        let said = [offer.version, offer.build]
        for (said, found) in zip(said, [build.version, build.build]) {
            if let said, said != found { throw UploadRefusal.otherBuild(said: said, found: found) }
        }
    }

    /// Reads the uploader's current rights, because this is the last check before the build is published.
    ///
    /// With a remote store, a token revoked by another server is rejected within a second.
    ///
    /// - Throws: `TokenRefusal` if the token has expired or was revoked, `Refusal.notSignedIn` if the
    ///   person no longer has a session.
    private func holder(of record: UploadRecord) throws -> Principal {
        if let session = Principal.session(ofUploader: record.token) {
            let settings = try store.signInSettings()
            let found = try store.personSession(session)?.principal(under: settings, at: clock())
            guard let found else { throw Refusal.notSignedIn }
            return found
        }
        if let person = Principal.person(ofUploader: record.token) {
            let settings = try store.signInSettings()
            // Any session will do, because the one that started the upload may have ended.
            let found = try store.personSessions().lazy
                .filter { $0.person?.uploader == person }
                .compactMap { $0.principal(under: settings, at: clock()) }.first
            guard let found else { throw Refusal.notSignedIn }
            return found
        }
        let tokens = try store.isElsewhere ? store.tokens() : store.currentTokens()
        return try tokens.principal(ofToken: record.token, at: clock())
    }

    private func answer(refusing error: any Error, _ session: UploadSession) -> UploadAnswer {
        UploadAnswer(refusing: error, to: try? holder(of: session.record))
    }

    private func anchors() throws -> TrustAnchors {
        // An authority that an admin has just added is used for the next upload.
        TrustAnchors.apple.adding(try store.anchors(isCurrent: true))
    }

    private func options(_ record: UploadRecord, at date: Date) -> PublishOptions {
        var options = PublishOptions(publisher: record.publisher, date: date)
        options.channel = record.offer.channel
        options.channelLife = record.offer.expires
        options.notes = record.offer.notes
        options.tag = record.offer.tag
        options.commit = record.offer.commit
        options.replace = record.offer.replace
        options.isDryRun = record.isCheck
        options.allowsOtherVersion = record.offer.allowVersionMismatch
        options.origin = record.offer.origin?.withoutReservedNames
        return options
    }
}

/// A blob's bytes do not match its digest; the client must send them again.
private struct StoredBytesDamaged: Error {
    let digest: SHA256Digest
}
