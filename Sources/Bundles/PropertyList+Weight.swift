package import PropertyLists

extension PropertyList {
    /// The approximate memory of the values in bytes, for budgets that span several files.
    package var weight: Int {
        switch self {
        case .string(let text): 64 + text.utf8.count
        case .data(let bytes): 64 + bytes.count
        case .array(let elements): elements.reduce(64) { $0 + $1.weight }
        case .dictionary(let members):
            members.reduce(64) { $0 + $1.key.utf8.count + $1.value.weight }
        default: 64
        }
    }

    /// The string if it has at most 1 KiB, which is more than any name or version needs.
    var shortString: String? {
        guard let string, string.utf8.count <= 1024 else { return nil }
        return string
    }
}
