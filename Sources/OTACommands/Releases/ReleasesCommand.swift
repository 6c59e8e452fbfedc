import ArgumentParser

struct ReleasesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "releases",
        abstract: "What has been published: list, verify, withdraw, restore, promote, prune.",
        discussion: """
            An app is named by its bundle identifier or its name in URLs, a release by its version, \
            or by version and build with a hyphen between.
            Example:
              ota releases list browsey
              ota releases promote browsey 1.2.0-34 --channel stable
            """,
        subcommands: [
            ReleasesList.self, ReleasesShow.self, ReleasesVerify.self, ReleasesWithdraw.self,
            ReleasesRestore.self, ReleasesPromote.self, ReleasesNotes.self, ReleasesPrune.self,
        ],
    )
}
