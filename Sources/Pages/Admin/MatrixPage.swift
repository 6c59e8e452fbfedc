package import Foundation
package import Inspection
package import Releases

/// Which of an app's newest releases each device can install.
package struct MatrixPage: AdminPage {
    package let admin: AdminChrome
    let appName: String
    let appURL: String
    let columns: [Column]
    let rows: [Row]
    let isEmpty: Bool
    let filters: [Filter]
    let hasNoRows: Bool
    let turn: PageTurn?
    let legend: [Legend]

    /// - Parameters:
    ///   - app: the app.
    ///   - releases: the columns.
    ///   - devices: the rows, each with a verdict for every column.
    ///   - filters: the number of devices of each filter.
    ///   - show: which devices are shown.
    ///   - links: the targets of the page's links.
    ///   - turn: links to the other devices.
    ///   - pageURL: returns the path of this page with a filter.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation.
    package init(
        app: AppRecord,
        releases: [Release],
        devices: [Line],
        filters: [Show: Int],
        show: Show,
        links: AdminAppLinks,
        turn: PageTurn?,
        pageURL: (Show) -> String,
        at date: Date,
        admin: AdminChrome,
    ) {
        self.admin = admin
        appName = app.title
        appURL = links.page
        let columns = releases.map { Column($0, app, links, at: date) }
        self.columns = columns
        rows = devices.map { Row($0, columns) }
        isEmpty = releases.isEmpty || filters[.all] ?? 0 == 0
        hasNoRows = devices.isEmpty
        self.filters = Show.allCases.map { filter in
            Filter(
                title: filter.title,
                number: "\(filters[filter] ?? 0)",
                url: pageURL(filter),
                isCurrent: filter == show,
            )
        }
        self.turn = turn
        legend = [Verdict.installs, .blocked, .unknown].map(Legend.init)
    }

    /// Which devices are shown.
    package enum Show: String, Sendable, CaseIterable {
        case all = ""
        case problems

        var title: String { self == .all ? "All devices" : "Only with problems" }
    }

    struct Filter: Sendable {
        let title: String
        let number: String
        let url: String
        let isCurrent: Bool
    }

    /// One device with its verdicts, in the order of the columns.
    package struct Line: Sendable {
        package let device: Device
        package let url: String
        package let verdicts: [DeviceVerdict]

        package init(device: Device, url: String, verdicts: [DeviceVerdict]) {
            self.device = device
            self.url = url
            self.verdicts = verdicts
        }
    }

    struct Column: Sendable {
        let version: String
        let build: String
        let url: String
        let chips: [Chip]

        init(_ release: Release, _ app: AppRecord, _ links: AdminAppLinks, at date: Date) {
            version = release.version
            build = release.build
            url = links.release(release.identifier).page
            chips =
                Chip.channels(of: app, offering: release.identifier)
                + Chip.state(of: release, at: date)
        }
    }

    struct Row: Sendable {
        let name: String
        let kind: String
        let deviceURL: String
        let cells: [Cell]

        init(_ line: Line, _ columns: [Column]) {
            name = line.device.name
            kind = line.device.kind
            deviceURL = line.url
            cells = zip(line.verdicts, columns).map { verdict, column in
                Cell(JudgedDevice(device: line.device, judged: verdict, url: line.url), column)
            }
        }
    }

    struct Cell: Sendable {
        let mark: Mark
        /// The meaning of the mark, for screen readers.
        let words: String
        let reason: String?

        init(_ entry: JudgedDevice, _ column: Column) {
            mark = Mark(entry.judged.verdict)
            words = "\(mark.meaning): \(column.version) (\(column.build))"
            let why = entry.why
            reason = why.short.isEmpty ? nil : why.short
        }
    }

    struct Mark: Sendable {
        let sign: String
        let tone: String
        let meaning: String

        init(_ verdict: Verdict) {
            (sign, tone) =
                switch verdict {
                case .installs: ("✓", "good")
                case .blocked: ("✕", "bad")
                case .unknown: ("?", "warn")
                }
            meaning = Chip(verdict).text
        }
    }

    struct Legend: Sendable {
        let mark: Mark

        init(_ verdict: Verdict) { mark = Mark(verdict) }
    }
}
