/// Tests whether a store supports conditional requests, which decide between concurrent writers.
extension S3Client {
    /// A store's support for conditional requests.
    package struct Conditions: Sendable, Equatable {
        /// Whether it supports conditional deletion; older stores support only conditional writes.
        package let holdForDeletion: Bool

        package init(holdForDeletion: Bool) {
            self.holdForDeletion = holdForDeletion
        }
    }

    /// Tests conditional writes: a write with `If-None-Match: *` over an existing object must be refused,
    /// and so must a write with `If-Match` and an outdated ETag.
    ///
    /// - Parameters:
    ///   - key: the key of an object that nothing else uses; it is deleted afterwards.
    ///   - identifier: returns identifiers as in ``S3Write``.
    /// - Returns: what the store supports.
    /// - Throws: ``S3Failure/ignoresConditions(host:)``, and the errors of writing.
    package func conditions(
        at key: String,
        identifier: () -> String,
    ) throws(S3Failure) -> Conditions {
        func write(_ byte: UInt8, _ condition: S3Condition) throws(S3Failure) -> S3WriteOutcome {
            try self.write(S3Write([byte], to: key, if: condition, identifier: identifier()))
        }
        // If the first write fails, there is nothing to delete.
        var mayBeThere = false
        defer { if mayBeThere { _ = try? delete(key) } }
        let begun = try write(1, .none)
        mayBeThere = true
        guard case .stored(let first) = begun,
            case .refused = try write(2, .absent),
            case .stored(let second) = try write(2, .unchanged(first)),
            case .refused = try write(3, .unchanged(first))
        else { throw .ignoresConditions(host: bucket.authority) }
        // A store without conditional deletion deletes anyway, or returns an error.
        let isKept = (try? delete(key, if: .unchanged(first))) == false
        let isDeleted = (try? delete(key, if: .unchanged(second))) == true
        return Conditions(holdForDeletion: isKept && isDeleted)
    }
}
