import ArgumentParser

/// What every command on one webhook is given.
struct NamedWebhook: ParsableArguments {
    @Argument(help: "The webhook's identifier.")
    var webhook: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions
}
