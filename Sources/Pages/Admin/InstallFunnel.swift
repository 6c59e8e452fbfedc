import Bytes
package import Releases

/// How far phones got with a release, derived from their downloads: iOS itself reports nothing.
package struct InstallFunnel: Sendable {
    let steps: [Step]
    let devices: String?

    struct Step: Sendable {
        let title: String
        let count: String
        let share: String
        let bar: ShareBar?

        init(_ title: String, _ count: Int, of all: Int) {
            self.title = title
            self.count = count.grouped
            share = all == 0 ? "" : "\(count * 100 / all)%"
            bar = ShareBar(
                count,
                of: all,
                label: "\(title): \(count.grouped) of \(all.grouped)",
                tone: "accent",
            )
        }
    }

    /// Creates the funnel; nil if no phone has requested the release.
    ///
    /// - Parameter attempts: the release's install attempts.
    package init?(_ attempts: [InstallAttempt]) {
        guard !attempts.isEmpty else { return nil }
        let began = attempts.count { $0.outcome == .downloaded || $0.sent > 0 }
        let done = attempts.filter { $0.outcome == .downloaded }
        steps = [
            Step("Tapped Install", attempts.count, of: attempts.count),
            Step("Started the download", began, of: attempts.count),
            Step("Downloaded all of it", done.count, of: attempts.count),
        ]
        let known = Set(done.compactMap(\.device)).count
        let unknown = done.count { $0.device == nil }
        devices =
            done.isEmpty
            ? nil
            : "On \(Wording.count(known, "device"))"
                + (unknown > 0
                    ? ", plus \(Wording.count(unknown, "download")) by unknown devices."
                    : ".")
    }
}
