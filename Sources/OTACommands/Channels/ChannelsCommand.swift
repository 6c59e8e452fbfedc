import ArgumentParser

struct ChannelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "List an app's channels, open them to groups, and end those of pull requests.",
        discussion: """
            A channel ends at the time set with `ota publish --expires`, or with \
            `ota channels end`. Its page then says so, and builds that no other channel offers can \
            no longer be installed.
            Example:
              ota publish build.ipa --channel pr-12 --expires 14d
              ota channels list browsey
              ota channels end browsey pr-12
            """,
        subcommands: [ChannelsList.self, ChannelsAccess.self, ChannelsEnd.self],
    )
}
