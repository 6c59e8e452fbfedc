import Bytes

/// The location of a finding: a path, or words for a part of the archive.
protocol Place {
    /// The text that a finding shows, at most 300 characters.
    var printable: PrintableText { get }
}

extension RelativePath: Place {
    var printable: PrintableText { PrintableText(escaping: self, limit: 300) }
}

extension String: Place {
    var printable: PrintableText { PrintableText(escaping: self, limit: 300) }
}
