import Foundation
import PackagePlugin

/// Turns files of the package into Swift source, so that one binary is the whole program: the agent of
/// runners for the target that hands it out, and `templates/`, `public/` and the guide for testers for the
/// pages.
@main
struct EmbedAssets: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let paths =
            target.name == "Runners"
            ? ["agent/runner.py"] : ["templates", "public", "docs/testers.md"]
        let assets = paths.map { root.appending(path: $0) }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedAssets.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(paths.joined(separator: ", "))",
                executable: try context.tool(named: "AssetEmbedder").url,
                arguments: ([output] + assets).map { $0.path(percentEncoded: false) },
                inputFiles: assets.flatMap(files),
                outputFiles: [output],
            )
        ]
    }

    /// The files in a folder, or the file itself.
    private func files(of asset: URL) -> [URL] {
        var isFolder: ObjCBool = false
        let path = asset.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { return [asset] }
        let walk = FileManager.default.enumerator(at: asset, includingPropertiesForKeys: nil)
        return (walk?.allObjects as? [URL] ?? []).sorted { $0.path() < $1.path() }
    }
}
