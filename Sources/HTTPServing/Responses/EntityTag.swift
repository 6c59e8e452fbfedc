/// Entity tags in request fields, RFC 9110 8.8.3.
package enum EntityTag {
    /// Returns whether a list of tags contains this one, by the weak comparison of `If-None-Match`.
    package static func isListed(
        _ tag: String,
        in values: some Sequence<some StringProtocol>,
    ) -> Bool {
        values.contains { value in
            value.split(separator: ",").contains { item in
                var item = item.trimmed
                if item.hasPrefix("W/") { item = item.dropFirst(2) }
                return item == "*" || item == tag[...]
            }
        }
    }

    /// Returns the same by the strong comparison of `If-Match`, in which a weak tag never matches.
    package static func isListedStrongly(_ tag: String, in values: some Sequence<String>) -> Bool {
        values.contains { value in
            value.split(separator: ",").contains { $0.trimmed == "*" || $0.trimmed == tag[...] }
        }
    }
}

extension StringProtocol {
    /// The text without surrounding spaces and tabs.
    package var trimmed: Substring {
        var slice = Substring(self)
        while let first = slice.utf8.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.utf8.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return slice
    }
}
