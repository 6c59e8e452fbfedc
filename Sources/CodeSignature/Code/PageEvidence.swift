/// How the pages of code compare with the digests of one CodeDirectory.
package struct PageEvidence: Hashable, Sendable {
    package struct Mismatch: Hashable, Sendable {
        package let page: Int
        /// Where the page begins, in bytes of the file.
        package let offset: Int
    }

    package enum State: Hashable, Sendable {
        case compared
        /// The CodeDirectory cannot be followed: an unknown digest, or pages outside the slice.
        case unusable
        /// The archive could not be read a second time.
        case unreadable(String)
    }

    package let state: State
    /// Pages that were compared.
    package let count: Int
    package let mismatchCount: Int
    /// The first of them, at most ``greatestListed``.
    package let mismatches: [Mismatch]

    package static let greatestListed = 64

    /// Whether every page is as the CodeDirectory says.
    package var isIntact: Bool { state == .compared && mismatchCount == 0 }
}

extension PageEvidence {
    init(_ state: State) {
        self.init(state: state, count: 0, mismatchCount: 0, mismatches: [])
    }
}
