import Bytes
import Cryptography
import Zip

/// What is looked for in one pass, the same for every file.
///
/// A class, so that the sinks of two threads count one reference for each file instead of six.
final class SurveyNeeds: Sendable {
    let archive: ZipArchive
    let anchors: TrustAnchors
    /// By path of the executable.
    let executables: [RelativePath: SpecialFiles]
    /// What seals ask for, by path of the file.
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
