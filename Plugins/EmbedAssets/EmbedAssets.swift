import Foundation
import PackagePlugin

/// Turns `templates/`, `public/`, `languages/`, the testers' guides and the runner's agent into Swift source,
/// so that the program is a single binary.
@main
struct EmbedAssets: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let folders = ["templates", "public", "languages"].map { root.appending(path: $0) }
        let guides = contents(under: root.appending(path: "docs")).filter {
            $0.lastPathComponent.hasPrefix("testers.") && $0.pathExtension == "md"
        }
        let files = guides + [root.appending(path: "agent/runner.py")]
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedAssets.swift")
        return [
            .buildCommand(
                displayName: "Embedding templates and public files",
                executable: try context.tool(named: "AssetEmbedder").url,
                arguments: ([output] + folders + files).map { $0.path(percentEncoded: false) },
                inputFiles: folders.flatMap(contents) + files,
                outputFiles: [output],
            )
        ]
    }

    private func contents(under folder: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (walk?.allObjects as? [URL] ?? []).sorted { $0.path() < $1.path() }
    }
}
