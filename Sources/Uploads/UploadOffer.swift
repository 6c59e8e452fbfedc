import Bundles
import Bytes
package import Cryptography
package import Identifiers
package import Releases

/// A client's description of an upload, sent before the first byte.
///
/// The size and the digest are compared with what arrives. App, version and build, if given, let the server
/// refuse before anything is sent; in the end, the archive's contents decide.
package struct UploadOffer: Codable, Equatable, Sendable {
    package var size: Int
    package var sha256: SHA256Digest?
    package var app: BundleIdentifier?
    package var version: String?
    package var build: String?
    package var channel: ChannelName
    /// How long the channel lasts after the publish; nil leaves its end unchanged.
    package var expires: ChannelLife?
    package var notes: String
    package var tag: String?
    package var commit: String?
    package var replace: Bool
    /// Whether the build's version may differ from its tag's.
    package var allowVersionMismatch = false
    /// Whether the build is only checked for publishing, and not published.
    package var checkOnly = false
    /// The origin of the build: its builder and its source.
    package var origin: BuildOrigin?

    /// The largest size in bytes of a version, a tag or a commit.
    package static let wordLimit = 200
    /// The largest size of release notes in bytes.
    package static let notesLimit = 64 << 10

    package init(size: Int, sha256: SHA256Digest? = nil) {
        self.size = size
        self.sha256 = sha256
        channel = .stable
        notes = ""
        replace = false
    }

    private enum CodingKeys: String, CodingKey {
        case size, sha256, app, version, build, channel, notes, tag, commit, replace
        case allowVersionMismatch, checkOnly, origin, expires
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = try container.decode(Int.self, forKey: .size)
        sha256 = try container.decodeIfPresent(SHA256Digest.self, forKey: .sha256)
        app = try container.decodeIfPresent(BundleIdentifier.self, forKey: .app)
        version = try container.decodeIfPresent(String.self, forKey: .version)
        build = try container.decodeIfPresent(String.self, forKey: .build)
        channel = try container.decodeIfPresent(ChannelName.self, forKey: .channel) ?? .stable
        expires = try container.decodeIfPresent(ChannelLife.self, forKey: .expires)
        notes = try container.decodeIfPresent(String.self, forKey: .notes) ?? ""
        tag = try container.decodeIfPresent(String.self, forKey: .tag)
        commit = try container.decodeIfPresent(String.self, forKey: .commit)
        replace = try container.decodeIfPresent(Bool.self, forKey: .replace) ?? false
        allowVersionMismatch =
            try container.decodeIfPresent(Bool.self, forKey: .allowVersionMismatch) ?? false
        checkOnly = try container.decodeIfPresent(Bool.self, forKey: .checkOnly) ?? false
        origin = try container.decodeIfPresent(BuildOrigin.self, forKey: .origin)
    }

    /// The release that the build will be, as offered; nil if the offer does not say.
    package var release: ReleaseIdentifier? {
        guard let version, let build else { return nil }
        return ReleaseIdentifier(version: version, build: build)
    }

    /// Refuses an offer that cannot be a build, independently of the server's state.
    package func check() throws(UploadRefusal) {
        guard size > 0 else { throw .malformed("size", "is not a number of bytes above 0") }
        guard notes.utf8.count <= Self.notesLimit else {
            throw .malformed("notes", "take more than \(Self.notesLimit.grouped) bytes")
        }
        guard expires == nil || channel != .stable else {
            throw .malformed("expires", "is not for the channel stable, which cannot end")
        }
        let words = [("version", version), ("build", build), ("tag", tag), ("commit", commit)]
        for (name, word) in words {
            guard let word else { continue }
            guard (1...Self.wordLimit).contains(word.utf8.count),
                PrintableText(escaping: word, limit: Self.wordLimit).text == word
            else {
                throw .malformed(name, "is not 1 to \(Self.wordLimit) printable characters")
            }
        }
    }
}

extension UploadOffer {
    /// Parses query parameters, with the same names as in JSON; `replace` is `true` or `false`.
    package init(
        query: [String: String],
        size: Int,
        sha256: SHA256Digest?,
    ) throws(UploadRefusal) {
        self.init(size: size, sha256: sha256)
        let origin = BuildOrigin(
            repository: query["repository"],
            pipeline: query["pipeline"],
            builder: query["builder"],
            run: query["run"],
            branch: query["branch"],
        )
        self.origin = origin.isEmpty ? nil : origin
        for (name, text) in query {
            switch name {
            case "repository", "pipeline", "builder", "run", "branch": break
            case "sha256":
                let digest = SHA256Digest(hex: text)
                self.sha256 = try Self.value(digest, name, text, "64 hexadecimal digits")
            case "app":
                let kind = BundleIdentifier.kindOfText
                app = try Self.value(BundleIdentifier(text), name, text, kind)
            case "channel":
                channel = try Self.value(ChannelName(text), name, text, ChannelName.kindOfText)
            case "expires":
                expires = try Self.value(ChannelLife(text), name, text, ChannelLife.kindOfText)
            case "replace": replace = try Self.flag(name, text)
            case "allowVersionMismatch": allowVersionMismatch = try Self.flag(name, text)
            case "checkOnly": checkOnly = try Self.flag(name, text)
            case "version": version = text
            case "build": build = text
            case "notes": notes = text
            case "tag": tag = text
            case "commit": commit = text
            default:
                throw .malformed(PrintableText(escaping: name, limit: 40).text, "is not known")
            }
        }
        if let sha256, let own = self.sha256, own != sha256 {
            throw .malformed("sha256", "is not what Repr-Digest says")
        }
    }

    private static func flag(_ name: String, _ text: String) throws(UploadRefusal) -> Bool {
        try value(["true": true, "false": false][text], name, text, "true or false")
    }

    private static func value<Value>(
        _ value: Value?,
        _ name: String,
        _ text: String,
        _ wanted: String,
    ) throws(UploadRefusal) -> Value {
        guard let value else {
            let shown = PrintableText(escaping: text, limit: 60)
            throw .malformed(name, "cannot be “\(shown)”: it must be \(wanted)")
        }
        return value
    }
}
