import Bundles
import Bytes
import Cryptography
import Foundation
import Inspection
import Sample
import TestSupport
import Zip

extension Fixtures.Item {
    /// Noon of a day on which the profile and the certificates of an IPA are valid.
    var noon: Date {
        (ManifestFacts.bundles(in: facts).first?.expires ?? GoodBuild.now).addingDays(-40)
    }

    /// The report of a complete inspection of an IPA at its ``noon``.
    func report() throws -> InspectionReport { try build().report }

    /// Inspects an IPA at its ``noon``.
    ///
    /// Each is read only once for all tests: drawing a missing icon takes a second.
    func build() throws -> InspectedBuild {
        guard let build = Self.builds[path] else {
            return try InspectedBuild(reading: bytes(), at: noon, trusting: .apple)
        }
        return try build.get()
    }

    private static let builds = Dictionary(
        uniqueKeysWithValues: Fixtures.items(ofKind: "ipa").map { item in
            (
                item.path,
                Result {
                    try InspectedBuild(reading: item.bytes(), at: item.noon, trusting: .apple)
                },
            )
        }
    )

    /// The report on an IPA of the fixtures after a change to its files.
    func report(
        at date: Date,
        changing change: (inout SampleTree) throws -> Void,
    ) throws -> InspectionReport {
        var tree = try tree()
        try change(&tree)
        // An icon that no seal covers; without one, drawing it takes longer than everything else.
        tree.addOutside(.file("iTunesArtwork", GoodBuild.icon))
        let bytes = try ZipWriter.archive { try tree.pack(into: &$0) }
        return try InspectedBuild(reading: bytes, at: date, trusting: .apple).report
    }

    /// The files of an IPA, which can be changed.
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
            return SampleFile(path: entry.path.text, content: content, mode: mode)
        }
        let application = try? AppBundle(in: archive)
        return SampleTree(
            app: application?.path.text ?? "",
            executable: application?.executable?.name.text ?? "",
            files: files,
        )
    }
}
