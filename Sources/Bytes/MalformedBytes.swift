package import Problems

/// Bytes that do not have the shape their format asks for.
///
/// Every reader of a binary format throws this; the offset counts from the start of the bytes that
/// the reader was made with.
package struct MalformedBytes: ReportableError, Equatable {
    package enum Reason: Equatable, Sendable {
        /// Fewer bytes remain than the field takes.
        case truncated(needed: Int, available: Int)
        /// A fixed value, such as a magic number, is something else.
        case unexpected(found: String)
        /// A value that the format does not allow.
        case invalid(String)
    }

    /// The field, in the words of its specification.
    package let field: String
    /// Where the field begins, in bytes.
    package let offset: Int
    package let reason: Reason

    package init(_ field: String, at offset: Int, _ reason: Reason) {
        self.field = field
        self.offset = offset
        self.reason = reason
    }

    package var description: String {
        switch reason {
        case .truncated(let needed, let available):
            "\(field) at offset \(offset) needs \(needed.grouped) bytes and \(available.grouped) remain"
        case .unexpected(let found):
            "\(field) at offset \(offset) is \(found)"
        case .invalid(let why):
            "\(field) at offset \(offset) \(why)"
        }
    }
}

extension MalformedBytes {
    package var id: String { "input.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "check that the file is complete, and get it again" }
}

extension MalformedBytes {
    /// The same about a part that begins `base` bytes into the whole.
    package func moved(by base: Int) -> MalformedBytes {
        MalformedBytes(field, at: base + offset, reason)
    }
}
