import ArgumentParser
import Pages
import Publishing
import Releases

/// Publishing as a folder for any HTTPS host, without a store.
extension PublishCommand {
    func write(into folder: String, base: BaseURL, in context: CommandContext) throws {
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let export = BundleExport(
            folder: folder,
            base: base,
            isDryRun: dryRun,
            language: language ?? .english,
        )
        let result = try export.write(
            build.source(),
            options: publishOptions(in: context),
            trusting: anchors(in: context).anchors(),
        ) { bar.update($0.title, fraction: $0.fraction) }
        bar.finish()
        try context.show(result, json: output.json)
    }
}

extension Language: ExpressibleByArgument {
    init?(argument: String) {
        self.init(tag: argument)
    }
}
