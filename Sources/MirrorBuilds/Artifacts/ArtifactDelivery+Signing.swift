import Bytes
import Essentials
import Identifiers
import Mirrors
import Packaging
import Problems
import ReleaseSigning
import Releases
import Sandboxing

/// Delivery of builds that their pipeline left unsigned, for apps that the server signs.
extension ArtifactDelivery {
    /// The result of signing an unsigned build.
    enum Signing: Sendable {
        /// It was signed and submitted to the store.
        case offered(MirrorRun.Artifact)
        /// The app is not set to be signed by the server; the text says so.
        case manual(String)
        /// It should have been signed, but could not be.
        case failed(PublishAttempt.Reason)
    }

    /// Signs a build and publishes the result.
    ///
    /// - Parameters:
    ///   - unsigned: the absolute path of the IPA.
    ///   - file: the artifact that the IPA was made from.
    ///   - name: the artifact's name, for display.
    ///   - files: the entitlements that its bundles claim.
    ///   - channel: the channel on which it is published.
    ///   - say: writes a line to the log.
    /// - Returns: the result.
    /// - Throws: errors of the server, not of the build or its team.
    func sign(
        _ unsigned: String,
        as file: ArtifactSearch.Found,
        named name: String,
        claiming files: EntitlementFiles,
        on channel: ChannelName,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> Signing {
        let output = package + ".signed"
        defer { _ = unsafe unlink(output) }
        do {
            let signed = try await UnsignedBuildSigner(store, by: signer, trusting: anchors)
                .sign(unsigned, to: output, claiming: files, at: date)
            let profiles = signed.profiles.joined(separator: ", ")
            say("signed \(name) for team \(signed.team), with \(profiles)")
        } catch let refusal as ReleaseSigningRefusal {
            switch refusal {
            case .manual, .noApp: return .manual(refusal.fix)
            default: break
            }
            return .failed(.init(words: refusal.description, fix: refusal.fix))
        } catch let error as any ReportableError where error.kind != .outOfRoom {
            let problem = error.problem
            return .failed(
                .init(
                    words: PrintableText(escaping: problem.message, limit: 1000).text,
                    fix: problem.fix.isEmpty ? nil : problem.fix,
                )
            )
        }
        let source = try await blocking { try FileSource(path: output) }
        var artifact = try await offer(
            source,
            as: file,
            named: name,
            on: channel,
            isSignedHere: true,
            saying: say,
        )
        artifact.bytes = source.count
        return .offered(artifact)
    }

    /// Returns the entitlements that the bundles of an artifact claim: the files that the pipeline names,
    /// and those that Xcode left beside the app, `App.app.xcent`.
    ///
    /// An unreadable file fails the artifact: without its entitlements it would be a different build.
    ///
    /// - Parameters:
    ///   - rule: the pipeline's rule for the artifact.
    ///   - archive: the Xcode archive; nil for an artifact without such files.
    /// - Returns: the contents of the files.
    /// - Throws: `SourceFailure`.
    func entitlements(
        by rule: Pipeline.ArtifactRule,
        beside archive: OpenFolder?,
    ) throws(SourceFailure) -> EntitlementFiles {
        var files = EntitlementFiles()
        if let path = rule.entitlements { files.application = try bytes(path, in: checkout) }
        for (identifier, path) in rule.nestedEntitlements {
            files.byIdentifier[identifier] = try bytes(path, in: checkout)
        }
        for place in archive == nil ? [] : ["", "Products", "Products/Applications"] {
            guard let folder = try? place.isEmpty ? archive : archive?.folder(at: place) else {
                continue
            }
            for name in try folder.names(atMost: 1000).map({ String(decoding: $0, as: UTF8.self) })
            where folder.status(of: name)?.isFile == true {
                guard let bundle = name.dropping(lastBytes: ".xcent") else { continue }
                files.byFolder[RelativePath(bundle)] = try bytes(name, in: folder)
            }
        }
        return files
    }

    private func bytes(_ path: String, in folder: OpenFolder) throws(SourceFailure) -> [UInt8] {
        let source = try folder.file(at: path)
        guard source.count <= EntitlementFiles.sizeLimit else {
            throw SourceFailure(offset: 0, reason: "\(path) has more than a megabyte")
        }
        return try source.bytes(at: 0, count: source.count)
    }
}

extension OpenFolder.Status {
    fileprivate var isFile: Bool { if case .file = kind { true } else { false } }
}
