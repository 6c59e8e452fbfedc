import Bundles
import Bytes
import Cryptography
import Foundation
import Inspection
import Sample
import TestSupport
import Zip

extension Fixtures.Item {
    /// What is found out about an IPA of the fixtures, read the whole way.
    func report(at date: Date) throws -> InspectionReport {
        try InspectedBuild(reading: bytes(), at: date, trusting: .apple).report
    }

    /// What is found out about an IPA of the fixtures after a change to its files.
    func report(
        at date: Date,
        changing change: (inout SampleTree) throws -> Void,
    ) throws -> InspectionReport {
        var tree = try tree()
        try change(&tree)
        // An icon that no seal is about; without one, drawing it takes longer than all the rest.
        tree.addOutside(.file("iTunesArtwork", GoodBuild.icon))
        let bytes = try ZipWriter.archive { try tree.pack(into: &$0) }
        return try InspectedBuild(reading: bytes, at: date, trusting: .apple).report
    }

    /// The files of an IPA, open for a change.
    func tree() throws -> SampleTree {
        let archive = try ZipArchive(reading: MemorySource(bytes()))
        let files = try archive.entries.map { entry in
            let mode = entry.unixMode.map { $0 & 0o777 } ?? 0o644
            let contents = try archive.contents(of: entry, atMost: entry.size)
            let content: SampleFile.Content =
                switch entry.kind {
                case .directory: .folder
                case .file: .bytes(contents)
                case .symbolicLink:
                    .symbolicLink(target: String(decoding: contents, as: UTF8.self))
                }
            return SampleFile(path: entry.path, content: content, mode: mode)
        }
        let application = try? AppBundle(in: archive)
        return SampleTree(
            app: application?.path ?? "",
            executable: application?.executable?.name ?? "",
            files: files,
        )
    }
}
