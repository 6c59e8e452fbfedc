import ArgumentParser

struct TeamsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teams",
        abstract: "Manage the teams that the server signs for, and their developer accounts.",
        discussion: """
            Example:
              ota teams add ABCDE12345 --identity dist.p12 --key-file /etc/ota/key
              ota teams set ABCDE12345 --profile Ad_Hoc.mobileprovision
              ota apps set browsey --team ABCDE12345 --signing automatic
              ota teams check ABCDE12345
            """,
        subcommands: [
            TeamsAdd.self, TeamsList.self, TeamsShow.self, TeamsSet.self, TeamsRemove.self,
            TeamsCheck.self, TeamsSync.self, TeamsCertificate.self,
        ],
    )
}
