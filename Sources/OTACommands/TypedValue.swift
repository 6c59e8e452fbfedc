import ArgumentParser
import Bytes

/// A command-line value whose error says what would be valid.
///
/// `ExpressibleByArgument` can only say that a text is invalid.
protocol TypedValue: Sendable {
    /// - Throws: an error that describes what is wrong, or what is expected.
    init(typed text: String) throws
}

extension TypedValue where Self: TextCoded {
    init(typed text: String) throws {
        guard let value = Self(text) else { throw WrongText(wanted: Self.kindOfText) }
        self = value
    }
}

extension Option {
    init<T: TypedValue>(help: ArgumentHelp) where Value == T? {
        self.init(wrappedValue: nil, help: help) { try T(typed: $0) }
    }

    init(wrappedValue: Value, help: ArgumentHelp) where Value: TypedValue {
        self.init(wrappedValue: wrappedValue, help: help) { try Value(typed: $0) }
    }

    init<T: TypedValue>(
        wrappedValue: [T],
        name: NameSpecification = .long,
        help: ArgumentHelp,
    ) where Value == [T] {
        self.init(wrappedValue: wrappedValue, name: name, help: help) { try T(typed: $0) }
    }
}

extension Argument {
    init(help: ArgumentHelp) where Value: TypedValue {
        self.init(help: help) { try Value(typed: $0) }
    }

    init<T: TypedValue>(wrappedValue: [T], help: ArgumentHelp) where Value == [T] {
        self.init(wrappedValue: wrappedValue, help: help) { try T(typed: $0) }
    }
}
