import Releases
import Store
import Versions

/// A tag that is on another commit than it was first seen on, which nobody has asked to be built.
package struct MovedTag: Codable, Sendable, Equatable {
    /// `v1.2.3`.
    package let tag: String
    /// Commits.
    package let from, to: String

    /// Those of a mirror that name versions it builds, by name.
    package static func all(of mirror: Mirror, _ following: Following) -> [MovedTag] {
        let moved = following.tags.compactMap { reference, first -> MovedTag? in
            guard let now = following.references[reference], now != first,
                mirror.builds(reference), let tag = reference.droppingPrefix("refs/tags/")
            else { return nil }
            return MovedTag(tag: tag, from: first, to: now)
        }
        return moved.sorted { $0.tag < $1.tag }
    }
}

extension OTAStore {
    /// Takes a tag that somebody asks to have built again for one that is where it belongs.
    func accept(_ request: RunRequest, of mirror: Slug) throws {
        guard request.isRebuild, let reference = request.reference,
            reference == request.tag?.reference
        else { return }
        try changeFollowing(mirror) { $0.tags[reference] = request.commit.description }
    }
}
