/// Which of the register's devices can install a release, and why the others cannot.
package struct ReleaseDevicesPage: AdminPage {
    package let admin: AdminChrome
    let release: String
    let releaseURL: String
    let sentence: String
    let bar: ShareBar?
    let filters: [Filter]
    let devices: [DeviceRow]
    let isEmpty: Bool
    let emptiness: String
    let turn: PageTurn?

    /// Which devices are shown.
    package enum Show: String, Sendable, CaseIterable {
        case all = ""
        case blocked, able

        var title: String {
            switch self {
            case .all: "All"
            case .blocked: "Cannot install it"
            case .able: "Can install it"
            }
        }

        package func places(of coverage: DeviceIndex.Coverage) -> [Int] {
            switch self {
            case .all: coverage.places
            case .blocked: coverage.blocked
            case .able: coverage.able
            }
        }
    }

    struct Filter: Sendable {
        let title: String
        let number: String
        let url: String
        let isCurrent: Bool
    }

    /// - Parameters:
    ///   - name: the release, as in `Browsey 2.4.0 (318)`.
    ///   - url: the path of the release's page.
    ///   - coverage: which devices can install it.
    ///   - devices: the devices of the page.
    ///   - show: which devices are shown.
    ///   - turn: links to the other pages.
    ///   - pageURL: returns the path of this page with a filter.
    ///   - admin: the page's header and navigation.
    package init(
        of name: String,
        at url: String,
        coverage: DeviceIndex.Coverage,
        devices: [JudgedDevice],
        show: Show,
        turn: PageTurn?,
        pageURL: (Show) -> String,
        admin: AdminChrome,
    ) {
        self.admin = admin
        release = name
        releaseURL = url
        let hasDevices = coverage.total > 0
        sentence =
            hasDevices
            ? JudgedDevice.sentence(coverage.able.count, of: coverage.total) + "."
            : "No active devices."
        bar =
            hasDevices
            ? ShareBar(coverage.able.count, of: coverage.total, label: sentence) : nil
        filters =
            hasDevices
            ? Show.allCases.map { filter in
                Filter(
                    title: filter.title,
                    number: "\(filter.places(of: coverage).count)",
                    url: pageURL(filter),
                    isCurrent: filter == show,
                )
            } : []
        isEmpty = devices.isEmpty && hasDevices
        emptiness = show == .able ? "No device can install it." : "Every device can install it."
        self.devices = devices.map(DeviceRow.init)
        self.turn = turn
    }
}
