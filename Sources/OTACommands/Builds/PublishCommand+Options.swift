import Identifiers
import Publishing
import Versions

/// The meaning of the command's options for each way of publishing.
extension PublishCommand {
    func anchors(in context: CommandContext) -> AnchorOptions {
        anchorOptions.adding(context.environment)
    }

    /// `ota version` calls a build without a tag dev.
    private var givenTag: String? { tag == VersionFacts.development ? nil : tag.given }

    private var channelOfTag: ChannelName? {
        givenTag.flatMap { try? VersionTag(TagName($0)) }
            .flatMap { ChannelName($0.version.channel) }
    }

    func publishOptions(in context: CommandContext) throws -> PublishOptions {
        var options = PublishOptions(publisher: context.actor, date: context.now())
        options.channel = channel ?? channelOfTag ?? .stable
        options.channelLife = expires
        options.notes =
            try notes.map { try TextInput.read($0, limit: PublishOptions.notesLimit) } ?? ""
        options.tag = givenTag
        options.commit = commit.given ?? CIJob(context.environment)?.commit
        options.origin = originOptions.origin(in: context.environment)
        options.allowsOtherVersion = allowVersionMismatch
        options.replace = replace
        options.isDryRun = dryRun
        return options
    }
}
