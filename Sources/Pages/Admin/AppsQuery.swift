package import Releases

/// Selects and sorts the list of apps.
package struct AppsQuery: Sendable, Equatable {
    package enum Order: String, Sendable, CaseIterable {
        case title = ""
        case recent, installs

        var label: String {
            switch self {
            case .title: "By title"
            case .recent: "Newest build first"
            case .installs: "Most installs first"
            }
        }
    }

    /// Words of the title, the identifier or the URL name, in any order.
    package let search: String
    package let order: Order
    /// Whether the archived apps are listed, rather than those in use.
    package let isArchive: Bool

    package init(search: String = "", order: Order = .title, isArchive: Bool = false) {
        self.search = search
        self.order = order
        self.isArchive = isArchive
    }

    package func matches(_ app: AppRecord) -> Bool {
        app.isArchived == isArchive && names(app)
    }

    /// Returns whether all words of the search occur in the app's names, archived or not.
    package func names(_ app: AppRecord) -> Bool {
        let words = search.split(separator: " ")
        guard !words.isEmpty else { return true }
        let text = FoldedText("\(app.title) \(app.bundleIdentifier) \(app.slug)")
        return words.allSatisfy { text.contains(FoldedText($0)) }
    }
}

extension AdminLinks {
    /// Returns the path of one page of the apps that match a query.
    package func apps(_ query: AppsQuery, page: Int = 1) -> String {
        let fields = [
            ("show", query.isArchive ? "archived" : ""), ("search", query.search),
            ("sort", query.order.rawValue),
            ("page", page > 1 ? "\(page)" : ""),
        ].filter { !$0.1.isEmpty }.map { "\($0)=\(InstallLink.percentEncoded($1))" }
        return apps + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }
}

/// The form that searches and sorts the apps.
struct AppsSift: Sendable {
    let url: String
    let search: String
    let isArchive: Bool
    let orders: [DeviceSift.Option]

    init(_ query: AppsQuery, _ links: AdminLinks) {
        url = links.apps
        search = query.search
        isArchive = query.isArchive
        orders = AppsQuery.Order.allCases.map {
            DeviceSift.Option($0.rawValue, $0.label, query.order.rawValue)
        }
    }
}
