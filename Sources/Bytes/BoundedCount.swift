package import Problems

/// A number of elements from a file, a request or another program, checked against a limit.
///
/// Memory must be allocated for such a number only through this type: an unchecked number must not reach
/// `reserveCapacity`, `repeating:count:` or `unsafeUninitializedCapacity`. Constants, and counts of what
/// is already in memory, do not need it.
package struct BoundedCount: Sendable, Equatable {
    package let value: Int

    /// Checks a stated number against a limit.
    ///
    /// - Parameters:
    ///   - stated: the factors of the number, such as the width and height of an image; a product that
    ///     overflows `Int` exceeds every limit.
    ///   - limit: the maximum.
    ///   - what: the counted elements, in the plural, such as "pixels".
    /// - Throws: ``OversizedCount`` for a number below 0 or above `limit`.
    package init(
        _ stated: Int...,
        atMost limit: Int,
        of what: String,
    ) throws(OversizedCount) {
        guard stated.allSatisfy({ $0 >= 0 }) else {
            throw OversizedCount(what: what, limit: limit)
        }
        // A factor of 0 makes the product 0, even if the others overflow.
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

/// A number of elements that exceeds its limit, refused before memory is allocated.
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
    /// An array of `count` equal elements.
    package init(repeating element: Element, bounded count: BoundedCount) {
        self.init(repeating: element, count: count.value)
    }

    /// Reserves capacity for a total of `count` elements.
    package mutating func reserve(_ count: BoundedCount) {
        reserveCapacity(count.value)
    }
}

extension Dictionary {
    /// Reserves capacity for a total of `count` elements.
    package mutating func reserve(_ count: BoundedCount) {
        reserveCapacity(count.value)
    }
}

extension [UInt8] {
    /// Creates an array of bytes that `fill` writes into uninitialized memory; it sets the number of
    /// bytes written.
    package init(
        uninitialized count: BoundedCount,
        filling fill: (inout UnsafeMutableBufferPointer<UInt8>, inout Int) throws -> Void,
    ) rethrows {
        unsafe try self.init(unsafeUninitializedCapacity: count.value, initializingWith: fill)
    }
}
