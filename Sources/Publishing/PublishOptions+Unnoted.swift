import Bytes
import Releases

extension PublishOptions {
    /// What these options say that a release with the same bytes does not.
    ///
    /// It keeps what it was first published with: its provenance is signed, and testers have read its
    /// notes.
    func unnoted(by release: Release) -> [String] {
        var remarks: [String] = []
        for (name, said, kept) in [("tag", tag, release.tag), ("commit", commit, release.commit)] {
            guard let said, said != kept else { continue }
            let there = kept.map { "the \(name) \(PrintableText(escaping: $0, limit: 200))" }
            remarks.append(
                "It was first published with \(there ?? "no \(name)"), and keeps that: the \(name) "
                    + "\(PrintableText(escaping: said, limit: 200)) is not noted."
            )
        }
        if !notes.isEmpty, notes != release.notes {
            remarks.append(
                "It keeps the notes that it was first published with: those given now are not noted."
            )
        }
        return remarks
    }
}
