import Bytes

/// Where a finding is: a path, or words for a part of the archive.
protocol Place {
    /// As a finding shows it.
    var printable: PrintableText { get }
}

extension RelativePath: Place {
    var printable: PrintableText { PrintableText(escaping: self, limit: 300) }
}

extension String: Place {
    var printable: PrintableText { PrintableText(escaping: self, limit: 300) }
}
