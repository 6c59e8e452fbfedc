import Foundation
package import Releases

/// The sizes of the last builds of a channel, as bars, and as a table beside them.
package struct SizeTrend: Sendable {
    let svg: String
    let summary: String
    let rows: [Row]

    struct Row: Sendable {
        let build: String
        let url: String
        let size: String
        let change: String
        let isCurrent: Bool
    }

    private static let height = 96.0
    private static let ground = 90.0

    /// Creates the chart; nil for fewer than two builds.
    ///
    /// - Parameters:
    ///   - builds: oldest first, each with the path of its page.
    ///   - current: the build of the page.
    package init?(_ builds: [(release: Release, url: String)], current: ReleaseIdentifier) {
        guard let first = builds.first, let last = builds.last, builds.count > 1 else { return nil }
        let growth = last.release.size - first.release.size
        let trend =
            growth == 0
            ? "as large as"
            : "\(Wording.size(abs(growth))) \(growth > 0 ? "larger" : "smaller") than"
        summary =
            "The last \(builds.count) builds: \(Wording.size(last.release.size)), \(trend) "
            + "\(first.release.version) (\(first.release.build))."
        var drawing = Drawing(
            "sizes",
            identifier: "sizes-chart",
            title: "Size of the last \(builds.count) builds",
            summary: summary,
            height: Int(Self.height),
        )
        drawing.level(y: Self.ground, kind: "ground")
        let top = Double(max(1, builds.map(\.release.size).max() ?? 1))
        let step = 100 / Double(builds.count)
        for (index, build) in builds.enumerated() {
            let height = max(2, Double(build.release.size) / top * (Self.ground - 4))
            drawing.bar(
                x: (Double(index) + 0.14) * step,
                width: step * 0.72,
                y: Self.ground - height,
                height: height,
                kind: build.release.identifier == current ? "current" : "other",
                title: "\(build.release.version) (\(build.release.build)): "
                    + Wording.size(build.release.size),
            )
        }
        svg = drawing.svg
        rows = builds.indices.reversed().map { index in
            let release = builds[index].release
            let change = index > 0 ? release.size - builds[index - 1].release.size : 0
            return Row(
                build: "\(release.version) (\(release.build))",
                url: builds[index].url,
                size: Wording.size(release.size),
                change: change == 0 ? "" : (change > 0 ? "+" : "−") + Wording.size(abs(change)),
                isCurrent: release.identifier == current,
            )
        }
    }
}
