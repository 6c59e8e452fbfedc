import ArgumentParser

struct ReleasesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "releases",
        abstract: "List, link, verify, withdraw, restore, promote, sign, pin and prune releases.",
        discussion: """
            Name an app by its bundle identifier or slug, and a release by its version, or by its \
            version and build joined with a hyphen.
            Example:
              ota releases list browsey
              ota releases promote browsey 1.2.0-34 --channel stable
            """,
        subcommands: [
            ReleasesList.self, ReleasesShow.self, ReleasesDiff.self, ReleasesLink.self,
            ReleasesVerify.self,
            ReleasesWithdraw.self, ReleasesRestore.self, ReleasesPromote.self, ReleasesSign.self,
            ReleasesNotes.self,
            ReleasesPrune.self, ReleasesPin.self, ReleasesUnpin.self,
        ],
    )
}
