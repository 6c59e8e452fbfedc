import APIDocuments
import Administration
import ArgumentParser

struct TeamsSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a team's name, certificate, profiles or API key.",
        discussion: """
            Give a new certificate together with profiles that list it: a profile that does not list \
            the team's certificate is refused.
            Example:
              ota teams set ABCDE12345 --profile Ad_Hoc.mobileprovision
              ota teams set ABCDE12345 --identity new.pem --profile New.mobileprovision
              ota teams set ABCDE12345 --api-key AuthKey_2X9R4HXF34.p8 --issuer UUID
            """,
    )

    @Argument(help: "The team, by identifier.")
    var team: String

    @Option(help: "The team's new name.")
    var name: String?

    @OptionGroup var material: TeamMaterialOptions

    @Option(help: "The UUID of a profile to remove. May be repeated.")
    var removeProfile: [String] = []

    @OptionGroup var apiKey: APIKeyOptions

    @Flag(
        name: .customLong("remove-api-key"),
        help: """
            Delete every copy of the team's API key in the store, and everything saved about the account.
            """,
    )
    var removesAPIKey = false

    @OptionGroup var keyOptions: KeyFileOptions
    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard apiKey.apiKey == nil || !removesAPIKey else {
            throw ValidationError("give --api-key or --remove-api-key, not both")
        }
        guard
            name != nil || !material.isEmpty || !removeProfile.isEmpty || apiKey.apiKey != nil
                || removesAPIKey
        else {
            throw ValidationError("give something to change, such as --profile FILE")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let change = TeamChange(
            name: name,
            identity: try material.upload(),
            profiles: try material.profiles(),
            removedProfiles: removeProfile,
            apiKey: try apiKey.upload(),
            removeAPIKey: removesAPIKey,
        )
        let target = try target.open(in: context, anchors: try anchorOptions.anchors())
            .sealing(with: keyOptions.file(in: context))
        let document = try await apiKey.naming {
            try await material.naming { try await target.perform(ChangeTeam(team, change)) }
        }
        let result = TeamResult(document: document, verb: "Changed", now: context.now())
        try context.show(result, json: output.json)
    }
}
