import Bytes
import Releases
import Store

extension PublishOptions {
    /// Remarks about publishing a file that the store already had.
    func remarks(on publication: OTAStore.Publication) -> [String] {
        let release = publication.release
        var remarks = unnoted(by: release)
        let offered = publication.app.channels[channel]
        if let offered, offered != release.identifier {
            remarks.append(
                "\(channel) keeps \(offered), which was published there later; to put this one "
                    + "back, use `ota releases promote`."
            )
        } else if let before = publication.before, before != release.identifier {
            remarks.append("\(channel) offered \(before) before.")
        }
        return remarks
    }

    /// Remarks about options that differ from those of an existing release with the same bytes.
    ///
    /// The release keeps its first values: its provenance is signed, and testers have read its notes.
    func unnoted(by release: Release) -> [String] {
        var remarks: [String] = []
        for (name, said, kept) in [("tag", tag, release.tag), ("commit", commit, release.commit)] {
            guard let said, said != kept else { continue }
            let there = kept.map { "the \(name) \(PrintableText(escaping: $0, limit: 200))" }
            remarks.append(
                "It was first published with \(there ?? "no \(name)") and keeps that; the \(name) "
                    + "\(PrintableText(escaping: said, limit: 200)) was ignored."
            )
        }
        if !notes.isEmpty, notes != release.notes {
            remarks.append(
                "It keeps its notes; those given now were ignored."
            )
        }
        return remarks
    }
}
