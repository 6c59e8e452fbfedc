import Bytes
import Cryptography
import Zip

/// What a pass over an archive computes, the same for every file.
///
/// A class, so that the sinks of both threads count one reference per file instead of six.
final class SurveyNeeds: Sendable {
    let archive: ZipArchive
    let anchors: TrustAnchors
    /// By the executable's path.
    let executables: [RelativePath: SpecialFiles]
    /// The digests that seals require, by the file's path.
    let digests: [RelativePath: WantedDigests]

    init(
        archive: ZipArchive,
        anchors: TrustAnchors,
        executables: [RelativePath: SpecialFiles],
        digests: [RelativePath: WantedDigests],
    ) {
        self.archive = archive
        self.anchors = anchors
        self.executables = executables
        self.digests = digests
    }

    func surroundings(of path: RelativePath) -> ExecutableEvidence.Surroundings {
        .init(archive: archive, files: executables[path] ?? SpecialFiles(), anchors: anchors)
    }
}
