import Bytes

/// A tag that is on another commit than at first; an admin has to decide about it.
package struct MovedTag: Codable, Sendable, Equatable {
    /// The tag's name: `v1.2.3`.
    package let tag: String
    /// The first commit and the current one, in hexadecimal.
    package let from, to: String

    /// The moved tags of a mirror, by name.
    package static func all(of state: MirrorState) -> [MovedTag] {
        let moved = (state.moved ?? [:]).compactMap { reference, now -> MovedTag? in
            guard let first = state.tags[reference],
                let tag = reference.droppingPrefix("refs/tags/")
            else { return nil }
            return MovedTag(tag: tag, from: first, to: now)
        }
        return moved.sorted { $0.tag < $1.tag }
    }
}
