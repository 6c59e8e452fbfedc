/// Whether a store decides between two writers.
extension S3Client {
    /// What a store does with conditions.
    package struct Conditions: Sendable, Equatable {
        /// Whether it deletes on a condition too; older ones only write on one.
        package let holdForDeletion: Bool

        package init(holdForDeletion: Bool) {
            self.holdForDeletion = holdForDeletion
        }
    }

    /// Tests what everything depends on: a write over something that is there must be refused, and so must
    /// one over another version than was read.
    ///
    /// - Parameters:
    ///   - key: of an object that nothing else uses; it is gone afterwards.
    ///   - identifier: gives identifiers as in ``S3Write``.
    /// - Returns: what it does with them.
    /// - Throws: ``S3Failure/ignoresConditions(host:)``, and what writing throws.
    package func conditions(
        at key: String,
        identifier: () -> String,
    ) throws(S3Failure) -> Conditions {
        func write(_ byte: UInt8, _ condition: S3Condition) throws(S3Failure) -> S3WriteOutcome {
            try self.write(S3Write([byte], to: key, if: condition, identifier: identifier()))
        }
        // A store that does not answer is not asked once more to delete what it has not taken.
        var mayBeThere = false
        defer { if mayBeThere { _ = try? delete(key) } }
        let begun = try write(1, .none)
        mayBeThere = true
        guard case .stored(let first) = begun,
            case .refused = try write(2, .absent),
            case .stored(let second) = try write(2, .unchanged(first)),
            case .refused = try write(3, .unchanged(first))
        else { throw .ignoresConditions(host: bucket.authority) }
        // A store that does not know them deletes all the same, or refuses in its own words.
        let isKept = (try? delete(key, if: .unchanged(first))) == false
        let isDeleted = (try? delete(key, if: .unchanged(second))) == true
        return Conditions(holdForDeletion: isKept && isDeleted)
    }
}
