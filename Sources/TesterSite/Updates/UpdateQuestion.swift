import Hummingbird
import Identifiers
import SiteServices

/// The installed version as the app's query states it: `?version=1.2.0&build=34&channel=beta`.
struct UpdateQuestion: Sendable {
    /// The most bytes of a version or a build.
    static let lengthLimit = 64

    let version, build: String
    /// Nil for the default channel.
    let channel: ChannelName?

    /// - Throws: ``Refusal/malformed(_:)`` for missing, repeated, unknown and invalid parameters.
    init(_ request: Request) throws(Refusal) {
        var values: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            guard ["version", "build", "channel"].contains(name),
                values.updateValue(String(value), forKey: String(name)) == nil
            else {
                throw .malformed("the query accepts version, build and channel, each only once")
            }
        }
        version = try Self.number(values["version"], "version")
        build = try Self.number(values["build"], "build")
        channel = try values["channel"].map { text throws(Refusal) in
            guard let channel = ChannelName(text) else {
                throw .malformed("channel is not the name of a channel")
            }
            return channel
        }
    }

    private static func number(_ text: String?, _ name: String) throws(Refusal) -> String {
        guard let text, (1...lengthLimit).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .malformed(
                "\(name) must be 1 to \(lengthLimit) printable ASCII characters without space"
            )
        }
        return text
    }
}
