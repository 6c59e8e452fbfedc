package import Problems

/// Bytes that violate their format.
///
/// Every reader of a binary format throws this; offsets are relative to the start of the bytes that the
/// reader was created with.
package struct MalformedBytes: ReportableError, Equatable {
    package enum Reason: Equatable, Sendable {
        /// Fewer bytes remain than the field needs.
        case truncated(needed: Int, available: Int)
        /// A fixed value, such as a magic number, has another value.
        case unexpected(found: String)
        /// A value that the format does not allow.
        case invalid(String)
    }

    /// The field's name in its specification.
    package let field: String
    /// The offset of the field in bytes.
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
            "\(field) at offset \(offset) needs \(needed.grouped) bytes, but the data ends after "
                + "\(available.grouped)"
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
    /// The same error relative to the whole, in which the part begins at offset `base`.
    package func moved(by base: Int) -> MalformedBytes {
        MalformedBytes(field, at: base + offset, reason)
    }
}
