import Bytes
import Cryptography
import Foundation
import Identifiers
import ReleaseSigning
import Signing
import Store
import Testing
import Zip

/// Signs in this process, with the team's identity in the store, as the child process does.
struct SignerOfStore: BuildSigner {
    let store: OTAStore
    let keyFile: SealingKeyFile
    let anchors: TrustAnchors

    func sign(_ work: SigningWork) async throws {
        let team = try #require(TeamIdentifier(work.team))
        let key = try keyFile.key(for: store)
        let identity = try #require(try store.signingIdentity(of: team, with: key))
        let archive = try ZipArchive(reading: FileSource(path: work.input))
        let request = SigningRequest(
            identity: identity,
            profiles: work.profiles,
            trusting: anchors,
            at: work.date,
        )
        let plan = try PackageSigner(archive, for: request).plan()
        #expect(FileManager.default.createFile(atPath: work.output, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: work.output))
        try unsafe plan.write(packing: false) { bytes in
            try file.write(contentsOf: unsafe Data(bytes))
        }
        try file.close()
    }
}
