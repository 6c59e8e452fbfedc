/// `{"schema": 1, "mirrors": […]}`.
package struct MirrorsDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let mirrors: [MirrorDocument]

    package init(mirrors: [MirrorDocument]) {
        self.mirrors = mirrors
    }
}

/// A mirror that was added or changed.
package struct MirrorEntryDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let mirror: MirrorDocument

    package init(mirror: MirrorDocument) {
        self.mirror = mirror
    }
}

/// A mirror with its latest builds, newest first.
package struct MirrorDetailDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let mirror: MirrorDocument
    package let builds: [RunDocument]

    package init(mirror: MirrorDocument, builds: [RunDocument]) {
        self.mirror = mirror
        self.builds = builds
    }
}

/// The name of a removed mirror.
package struct RemovedMirrorDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let removed: String

    package init(removed: String) {
        self.removed = removed
    }
}

/// A requested sync; it is complete once the mirror's `answered` has reached its number.
package struct SyncRequestDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let sync: Int
    package let mirror: MirrorDocument

    package init(sync: Int, mirror: MirrorDocument) {
        self.sync = sync
        self.mirror = mirror
    }
}

/// `{"schema": 1, "builds": […]}`.
package struct RunsDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let builds: [RunDocument]
    /// The value of `after` for the next page; nil on the last page.
    package var next: Int?

    package init(builds: [RunDocument], next: Int? = nil) {
        self.builds = builds
        self.next = next
    }
}
