import Synchronization

/// A value that is made when it is first asked for, and kept.
///
/// Of two that ask at the same time both may make it; one is kept. What it holds is no part of what it stands
/// in: all are equal.
package final class Once<Value: Sendable>: Sendable, Equatable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    /// The value, made if it was not yet.
    ///
    /// - Parameter make: makes the value; the same each time.
    /// - Returns: what was made first.
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
