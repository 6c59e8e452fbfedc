import APIDocuments
import Releases

/// The dSYMs of a release, and the programs without one.
struct SymbolsText: CommandResult {
    let document: SymbolsDocument

    func text(style: Style) -> String {
        var table = Table(["DSYM", "SIZE", "ADDED", "UUIDS"])
        for file in document.symbols {
            table.add([
                file.name, Wording.size(file.size), Wording.day(file.added),
                Self.words(file.images),
            ])
        }
        var parts = table.isEmpty ? [] : [table.text(style: style)]
        if document.added == nil {
            var binaries = Table(["BINARY", "DSYM", "UUIDS"])
            for program in document.programs {
                binaries.add([
                    program.path, program.hasSymbols ? "yes" : "no dSYM",
                    Self.words(program.images),
                ])
            }
            if !binaries.isEmpty { parts.append(binaries.text(style: style)) }
        }
        parts.append(summary)
        if let unmatched = document.unmatched, !unmatched.isEmpty {
            parts.append(
                style.warning("Skipped:")
                    + " no binary of the release matches "
                    + unmatched.joined(separator: ", ").printable + "."
            )
        }
        return parts.joined(separator: "\n\n")
    }

    private static func words(_ images: [ReleaseSymbols.Image]) -> String {
        images.map { "\($0.uuid) \($0.architecture)" }.joined(separator: ", ")
    }

    /// The number of dSYMs, and the programs without one.
    var summary: String {
        let count = document.symbols.count
        guard count > 0 else {
            return "\(document.release) has no dSYMs.".printable
        }
        let missing = document.programs.filter { !$0.hasSymbols }.map(\.path)
        let first = missing.prefix(5).joined(separator: ", ")
        let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
        return
            ("\(document.release) has \(Wording.count(count, "dSYM"))."
            + (missing.isEmpty ? "" : " No dSYM for \(first)\(more)."))
            .printable
    }
}
