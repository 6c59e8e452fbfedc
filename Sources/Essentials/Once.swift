import Synchronization

/// A lazily computed value.
///
/// Two concurrent callers may both compute it; one result is kept. It does not take part in comparisons
/// of the value that contains it: all are equal.
package final class Once<Value: Sendable>: Sendable, Equatable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    /// Returns the value, computing it on the first call.
    ///
    /// - Parameter make: computes the value; must return the same each time.
    /// - Returns: the result that was stored first.
    package func callAsFunction(_ make: () -> Value) -> Value {
        if let value = value.withLock({ $0 }) { return value }
        let made = make()
        return value.withLock { value in
            if let value { return value }
            value = made
            return made
        }
    }

    package static func == (_: Once, _: Once) -> Bool { true }
}
