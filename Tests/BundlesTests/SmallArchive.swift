import Bundles
import Bytes
import PropertyLists
import Zip

/// An archive with the files that a test names.
struct SmallArchive {
    var files: [String: [UInt8]] = [:]

    /// Adds `folder` with an Info.plist that has these keys.
    mutating func bundle(_ folder: String, _ info: [String: PropertyList] = [:]) {
        var info = info
        info["CFBundleExecutable"] = info["CFBundleExecutable"] ?? .string("Run")
        files[folder + "/Info.plist"] = PropertyList.dictionary(info).xml()
        files[folder + "/Run"] = [0]
    }

    init(_ fill: (inout SmallArchive) throws -> Void) rethrows {
        try fill(&self)
    }

    /// Returns an archive with one app, `Payload/A.app`, with these keys.
    static func app(
        _ info: [String: PropertyList] = [:],
        _ fill: (inout SmallArchive) throws -> Void = { _ in },
    ) rethrows -> SmallArchive {
        try SmallArchive {
            $0.bundle("Payload/A.app", info)
            try fill(&$0)
        }
    }

    func bytes() throws -> [UInt8] {
        try ZipWriter.archive { zip in
            for (path, contents) in files.sorted(by: { $0.key < $1.key }) {
                if path.hasSuffix("/") {
                    try zip.addDirectory(String(path.dropLast()))
                } else {
                    try zip.add(path, contents: contents)
                }
            }
        }
    }

    func archive() throws -> ZipArchive {
        try ZipArchive(reading: MemorySource(bytes()))
    }

    func application() throws -> AppBundle { try AppBundle(in: archive()) }

    /// The refusal, or nil if there is none.
    func refusal() throws -> BundleRefusal? {
        let archive = try archive()
        do throws(BundleRefusal) {
            _ = try AppBundle(in: archive)
            return nil
        } catch {
            return error
        }
    }
}
