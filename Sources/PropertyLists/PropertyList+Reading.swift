extension PropertyList {
    /// Reads the binary or the XML form; the first bytes determine which.
    ///
    /// Foundation's reader is not used because it expands shared objects without limit, and parses
    /// whatever it cannot read as old-style text, so that almost any input is accepted.
    ///
    /// - Throws: ``MalformedPropertyList``.
    package init(
        reading bytes: some Collection<UInt8>,
        limits: Limits = .infoPlist,
    ) throws(MalformedPropertyList) {
        guard bytes.count <= limits.bytes else {
            throw MalformedPropertyList(.tooLarge(limit: limits.bytes))
        }
        let document = Array(bytes)
        if document.starts(with: BinaryTrailer.magic) {
            var reader = try BinaryPropertyListReader(document, budget: ReadingBudget(limits))
            self = try reader.readDocument()
        } else {
            var reader = XMLPropertyListReader(document, budget: ReadingBudget(limits))
            self = try reader.readDocument()
        }
    }
}
