/// The result of comparing the pages of code with the digests of one CodeDirectory.
package struct PageEvidence: Hashable, Sendable {
    package struct Mismatch: Hashable, Sendable {
        package let page: Int
        /// The offset of the page in the file in bytes.
        package let offset: Int
    }

    package enum State: Hashable, Sendable {
        case compared
        /// The CodeDirectory is unusable: an unknown hash algorithm, or pages outside the slice.
        case unusable
        /// Reading the archive a second time failed.
        case unreadable(String)
    }

    package let state: State
    /// The number of pages compared.
    package let count: Int
    package let mismatchCount: Int
    /// The first mismatches, at most ``greatestListed``.
    package let mismatches: [Mismatch]

    package static let greatestListed = 64

    /// Whether every page matches its digest.
    package var isIntact: Bool { state == .compared && mismatchCount == 0 }
}

extension PageEvidence {
    init(_ state: State) {
        self.init(state: state, count: 0, mismatchCount: 0, mismatches: [])
    }
}
