import Foundation
import PackagePlugin

/// Turns `templates/`, `public/` and the guide for testers into Swift source, so that one binary is the whole program.
@main
struct EmbedAssets: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let folders = ["templates", "public"].map { root.appending(path: $0) }
        let guide = root.appending(path: "docs/testers.md")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedAssets.swift")
        return [
            .buildCommand(
                displayName: "Embedding templates and public files",
                executable: try context.tool(named: "AssetEmbedder").url,
                arguments: ([output] + folders + [guide]).map { $0.path(percentEncoded: false) },
                inputFiles: folders.flatMap(files) + [guide],
                outputFiles: [output],
            )
        ]
    }

    private func files(under folder: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (walk?.allObjects as? [URL] ?? []).sorted { $0.path() < $1.path() }
    }
}
