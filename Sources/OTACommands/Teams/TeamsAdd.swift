import APIDocuments
import Administration
import ArgumentParser
import Identifiers

struct TeamsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a team with the certificate and profiles that the server signs with.",
        discussion: """
            The private key is stored sealed with the key in --key-file; a missing key file is \
            created. Keep a copy of the key file, but not with the store: anyone who has both can \
            sign in the team's name.
            Example:
              export OTA_KEY_FILE=/etc/ota/key
              ota teams add ABCDE12345 --identity dist.p12 --password-file pass.txt
              ota teams add ABCDE12345 --profile A.mobileprovision --identity dist.pem
              ota teams add ABCDE12345 --api-key AuthKey_2X9R4HXF34.p8 --issuer UUID
            """,
    )

    @Argument(help: "Apple's identifier of the team: ten letters and digits.")
    var team: TeamIdentifier

    @Option(help: "The team's name; default: the organization in its certificate.")
    var name: String?

    @OptionGroup var material: TeamMaterialOptions
    @OptionGroup var apiKey: APIKeyOptions
    @OptionGroup var keyOptions: KeyFileOptions
    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let new = NewTeam(
            team,
            name: name,
            identity: try material.upload(),
            profiles: try material.profiles(),
            apiKey: try apiKey.upload(),
        )
        let anchors = try anchorOptions.anchors()
        let target = try target.open(in: context, creates: true, anchors: anchors)
            .sealing(with: keyOptions.file(in: context))
        let document = try await apiKey.naming {
            try await material.naming { try await target.perform(AddTeam(new)) }
        }
        let result = TeamResult(document: document, verb: "Added", now: context.now())
        try context.show(result, json: output.json)
    }
}

extension TeamIdentifier: TypedValue {}
