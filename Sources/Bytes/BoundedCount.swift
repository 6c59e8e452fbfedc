package import Problems

/// A number of elements that a file, a request or a program states, found to be within a limit.
///
/// It is the only way from such a number to memory: a number that nothing has compared with a limit
/// must not reach `reserveCapacity`, `repeating:count:` or `unsafeUninitializedCapacity`. Numbers that
/// are constants, or that count what is in memory already, need none.
package struct BoundedCount: Sendable, Equatable {
    package let value: Int

    /// Compares what is stated with the most that is allowed.
    ///
    /// - Parameters:
    ///   - stated: factors of the number, such as the sides of a picture; a product that does not fit
    ///     in an `Int` is over every limit.
    ///   - limit: the most that is allowed.
    ///   - what: what is counted, in the plural: "pixels".
    /// - Throws: ``OversizedCount`` for a number below 0 or above `limit`.
    package init(
        _ stated: Int...,
        atMost limit: Int,
        of what: String,
    ) throws(OversizedCount) {
        guard stated.allSatisfy({ $0 >= 0 }) else {
            throw OversizedCount(what: what, limit: limit)
        }
        // A factor of 0 makes the product 0, however large the others are.
        let factors = stated.contains(0) ? [0] : stated
        var product = 1
        for factor in factors {
            let (next, overflow) = product.multipliedReportingOverflow(by: factor)
            guard !overflow else { throw OversizedCount(what: what, limit: limit) }
            product = next
        }
        guard product <= limit else { throw OversizedCount(what: what, limit: limit) }
        value = product
    }
}

/// A number of elements that was refused before memory was taken for them.
package struct OversizedCount: ReportableError, Equatable {
    package let what: String
    package let limit: Int

    package init(what: String, limit: Int) {
        self.what = what
        self.limit = limit
    }

    package var description: String { "more than the \(limit) \(what) allowed" }
}

extension OversizedCount {
    package var id: String { "input.too-many" }
    package var kind: Problem.Kind { .tooLarge }
    package var fix: String { "give less" }
}

extension Array {
    /// An array of so many equal elements.
    package init(repeating element: Element, bounded count: BoundedCount) {
        self.init(repeating: element, count: count.value)
    }

    /// Takes room for so many elements in all.
    package mutating func reserve(_ count: BoundedCount) {
        reserveCapacity(count.value)
    }
}

extension Dictionary {
    /// Takes room for so many elements in all.
    package mutating func reserve(_ count: BoundedCount) {
        reserveCapacity(count.value)
    }
}

extension [UInt8] {
    /// Bytes that `fill` writes into fresh memory; it sets how many it has written.
    package init(
        uninitialized count: BoundedCount,
        filling fill: (inout UnsafeMutableBufferPointer<UInt8>, inout Int) throws -> Void,
    ) rethrows {
        unsafe try self.init(unsafeUninitializedCapacity: count.value, initializingWith: fill)
    }
}
