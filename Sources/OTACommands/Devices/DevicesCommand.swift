import ArgumentParser

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Invite, approve and manage test devices and their slots.",
        discussion: """
            Example:
              ota devices add 00008120-000A1B2C3D4E5F67 --name "Ana's iPhone"
              ota devices list
            """,
        subcommands: [
            DevicesAdd.self, DevicesList.self, DevicesShow.self, DevicesRename.self,
            DevicesRemove.self, DevicesDisable.self, DevicesAssign.self, DevicesImport.self,
            DevicesExport.self, DevicesCheck.self,
            DevicesSlots.self, DevicesInvite.self, DevicesInvitations.self, DevicesApprove.self,
        ],
    )
}
