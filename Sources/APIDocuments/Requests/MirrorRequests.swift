/// The body of `POST /mirrors`: a name and the settings of the mirror.
package struct NewMirror: Codable, Sendable {
    package let name: String
    /// Whether the address may be inside the server's own network; nil on the machine itself, where this is
    /// not checked.
    package var allowPrivate: Bool?
    package var settings: MirrorChange

    package init(name: String, settings: MirrorChange, allowPrivate: Bool? = nil) {
        self.name = name
        self.settings = settings
        self.allowPrivate = allowPrivate
    }
}

/// The body of `PATCH /mirrors/{mirror}`.
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

/// The name is in the same JSON object as the settings.
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

/// The body of `POST /mirrors/{mirror}/builds`: what to build; the main branch if nothing is given.
package struct BuildRequest: Codable, Sendable, Equatable {
    /// The tag to build, or the name for the build.
    package var tag: String?
    package var branch: String?
    /// The full commit hash.
    package var commit: String?
    /// Whether to build a tag that has moved, which may replace its release.
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
