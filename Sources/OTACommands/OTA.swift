import APIDocuments
import Administration
package import ArgumentParser

/// The whole command line; its list of groups is the help page.
package struct OTA: AsyncParsableCommand {
    package static let version = ProductVersion.text

    package static let configuration = CommandConfiguration(
        commandName: "ota",
        abstract: "Ship iOS builds to testers' phones over the air.",
        discussion: """
            Try it without an Apple account:
              ota sample --output sample.ipa
              ota publish sample.ipa --trusted-ca sample-authority.pem
              ota serve --trusted-ca sample-authority.pem
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Builds",
                subcommands: [
                    PublishCommand.self, ValidateCommand.self, InspectCommand.self,
                    ReleasesCommand.self, ChannelsCommand.self, AppsCommand.self,
                    MirrorCommand.self,
                    PackageCommand.self, SignCommand.self, VersionCommand.self,
                    SampleCommand.self, SymbolsCommand.self, SymbolicateCommand.self,
                ],
            ),
            CommandGroup(
                name: "Team",
                subcommands: [
                    DevicesCommand.self, GroupsCommand.self, ProfilesCommand.self,
                    TokensCommand.self,
                    WebhooksCommand.self, TeamsCommand.self, RunnersCommand.self,
                    SignInCommand.self,
                    FeedbackCommand.self,
                ],
            ),
            CommandGroup(
                name: "Server",
                subcommands: [
                    ServeCommand.self, StatusCommand.self, OpenCommand.self,
                    DoctorCommand.self,
                    StoreCommand.self, JobsCommand.self, UploadsCommand.self,
                    InstallsCommand.self, ActivityCommand.self,
                ],
            ),
            CommandGroup(name: "Shell", subcommands: [CompletionsCommand.self]),
        ],
    )

    package init() {}
}
