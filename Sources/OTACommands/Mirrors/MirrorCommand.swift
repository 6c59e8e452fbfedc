import ArgumentParser

struct MirrorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Mirror git repositories, and build and publish their tags.",
        discussion: """
            Example:
              ota mirror add browsey https://git.example.com/team/browsey.git
              ota mirror sync browsey
              ota mirror build browsey --tag v1.2.0
            """,
        subcommands: [
            MirrorAdd.self, MirrorSet.self, MirrorList.self, MirrorShow.self, MirrorSync.self,
            MirrorBuild.self, MirrorQueue.self, MirrorLogs.self, MirrorCancel.self,
            MirrorArtifact.self,
            MirrorRemove.self,
        ],
        aliases: ["mirrors"],
    )
}
