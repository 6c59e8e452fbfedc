import Essentials
import Store

/// Encodes values as JSON with sorted keys, so that equal values have equal bytes.
enum KeptJSON {
    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` with this path and reason.
    static func bytes(
        _ value: some Encodable,
        at path: String,
        refusal reason: String,
    ) throws(StoreFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw .unreadable(path: path, offset: nil, reason: reason)
        }
    }
}
