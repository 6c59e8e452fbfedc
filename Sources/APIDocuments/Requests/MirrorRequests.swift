/// `POST /mirrors`: a name, and beside it all that can be said of a mirror.
package struct NewMirror: Codable, Sendable {
    package let name: String
    /// Whether the address may be inside the server's own network; nil for who sits at the machine,
    /// and is not asked.
    package var allowPrivate: Bool?
    package var settings: MirrorChange

    package init(name: String, settings: MirrorChange, allowPrivate: Bool? = nil) {
        self.name = name
        self.settings = settings
        self.allowPrivate = allowPrivate
    }
}

/// `PATCH /mirrors/{mirror}`.
package struct MirrorChangeRequest: Codable, Sendable {
    package var allowPrivate: Bool?
    package var settings: MirrorChange

    package init(_ settings: MirrorChange, allowPrivate: Bool?) {
        self.settings = settings
        self.allowPrivate = allowPrivate
    }
}

private enum OwnKeys: String, CodingKey {
    case name, allowPrivate
}

/// In one object with the settings.
extension NewMirror {
    package init(from decoder: any Decoder) throws {
        let own = try decoder.container(keyedBy: OwnKeys.self)
        name = try own.decode(String.self, forKey: .name)
        allowPrivate = try own.decodeIfPresent(Bool.self, forKey: .allowPrivate)
        settings = try MirrorChange(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try settings.encode(to: encoder)
        var own = encoder.container(keyedBy: OwnKeys.self)
        try own.encode(name, forKey: .name)
        try own.encodeIfPresent(allowPrivate, forKey: .allowPrivate)
    }
}

extension MirrorChangeRequest {
    package init(from decoder: any Decoder) throws {
        let own = try decoder.container(keyedBy: OwnKeys.self)
        allowPrivate = try own.decodeIfPresent(Bool.self, forKey: .allowPrivate)
        settings = try MirrorChange(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try settings.encode(to: encoder)
        var own = encoder.container(keyedBy: OwnKeys.self)
        try own.encodeIfPresent(allowPrivate, forKey: .allowPrivate)
    }
}

/// `POST /mirrors/{mirror}/builds`: what is to be built by hand; the main branch where nothing is said.
package struct BuildRequest: Codable, Sendable, Equatable {
    /// The tag to build, or to call the build after.
    package var tag: String?
    package var branch: String?
    /// All of its digits.
    package var commit: String?
    /// Whether a tag that has moved is built all the same, and may replace its release.
    package var rebuild: Bool?

    package init(
        tag: String? = nil,
        branch: String? = nil,
        commit: String? = nil,
        rebuild: Bool? = nil,
    ) {
        self.tag = tag
        self.branch = branch
        self.commit = commit
        self.rebuild = rebuild
    }
}
