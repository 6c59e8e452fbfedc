import Publishing
import Releases

/// Publishing as a folder for any HTTPS host, without a store.
extension PublishCommand {
    func write(into folder: String, base: BaseURL, in context: CommandContext) throws {
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let result = try BundleExport(folder: folder, base: base, isDryRun: dryRun).write(
            build.source(),
            options: publishOptions(in: context),
            trusting: anchors(in: context).anchors(),
        ) { bar.update($0.title, fraction: $0.fraction) }
        bar.finish()
        try context.show(result, json: output.json)
    }
}
