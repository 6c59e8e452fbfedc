package import Bytes
import MachOFormat
package import Releases
package import Zip

/// Finds the programs of an IPA, to which dSYMs are matched.
package enum ProgramSearch {
    /// Finds the programs and libraries of an IPA, and the UUIDs of their slices.
    ///
    /// Files that cannot be read as programs are skipped, because the inspection reports them.
    ///
    /// - Parameter ipa: the archive.
    /// - Returns: the programs, sorted by path.
    /// - Throws: `ZipRefusal`.
    package static func programs(
        of ipa: any ByteSource
    ) throws(ZipRefusal) -> [ReleaseSymbols.Program] {
        let archive = try ZipArchive(reading: ipa)
        var programs: [ReleaseSymbols.Program] = []
        for entry in archive.entries where mayBeProgram(entry) {
            guard programs.count < ReleaseSymbols.programLimit else { break }
            guard let (top, rest) = entry.path.split(first: 2), top[0] == "Payload", !rest.isEmpty
            else { continue }
            let read = try? unsafe ImageScan.file(of: entry.size) {
                try unsafe archive.read(entry, window: 64 << 10, $0)
            }
            guard let file = read, file.slices.allSatisfy(\.isCode) else { continue }
            let images = file.images
            guard !images.isEmpty else { continue }
            programs.append(ReleaseSymbols.Program(path: rest.text, images: images))
        }
        return programs.sorted { RelativePath($0.path) < RelativePath($1.path) }
    }

    private static func mayBeProgram(_ entry: ZipEntry) -> Bool {
        guard entry.kind == .file, entry.size >= 28 else { return false }
        let kind = entry.path.fileExtension
        return entry.isExecutable || kind == nil || kind == "dylib"
    }
}

extension BinarySlice {
    fileprivate var isCode: Bool {
        [.executable, .dynamicLibrary, .bundle].contains(header.fileType)
    }
}
