import Foundation

/// Writes a Swift file with the given files, and every file in the given folders, as base64 literals.
///
/// Usage: `AssetEmbedder OUTPUT.swift FOLDER-OR-FILE…`. A path is stored as `folder/name`.
@main
struct AssetEmbedder {
    static func main() throws {
        let output = URL(filePath: CommandLine.arguments[1])
        var source =
            "enum EmbeddedAssets {\n    static let base64: [(path: String, base64: String)] = [\n"
        for url in CommandLine.arguments.dropFirst(2).map({ URL(filePath: $0) }) {
            let isFile = try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            let folder = isFile ? url.deletingLastPathComponent() : url
            let names =
                isFile
                ? [url.lastPathComponent]
                : try FileManager.default.subpathsOfDirectory(
                    atPath: url.path(percentEncoded: false)
                ).sorted()
            for name in names {
                let file = folder.appending(path: name)
                guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
                else { continue }
                let path = "\(folder.lastPathComponent)/\(name)"
                let bytes = try Data(contentsOf: file).base64EncodedString()
                source += "        (\"\(path)\", \"\(bytes)\"),\n"
            }
        }
        source += "    ]\n}\n"
        try Data(source.utf8).write(to: output)
    }
}
