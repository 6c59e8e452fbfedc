package import Releases

/// The results of the header's search field: apps, releases, devices, mirrors and builds.
package struct SearchPage: AdminPage {
    /// The most rows of each kind.
    package static let length = 6
    /// The most characters of a query.
    package static let limit = 100

    package let admin: AdminChrome
    let query: String?
    let sections: [Section]
    let emptiness: String?
    /// The form that adds a device, if the query is a complete UDID that no device has.
    let addURL: String?
    /// The scope of the search, in sentences.
    let scope: [String]

    /// - Parameters:
    ///   - query: the query; nil for none.
    ///   - sections: the results; kinds without results are left out.
    ///   - scope: the scope of the search, in sentences.
    ///   - admin: the page's header and navigation.
    package init(
        _ query: String?,
        sections: [Section],
        scope: [String],
        admin: AdminChrome,
    ) {
        self.query = query
        addURL = nil
        let found = sections.filter { !$0.rows.isEmpty }
        self.sections = found
        emptiness = found.isEmpty ? query.map { "Nothing matches “\($0)”." } : nil
        self.scope = scope
        self.admin = query.map(admin.searching) ?? admin
    }

    /// Creates the page for a complete UDID that no device has.
    ///
    /// - Parameters:
    ///   - addURL: the form that adds a device.
    ///   - scope: the scope of the search, in sentences.
    ///   - admin: the page's header and navigation.
    package init(unregisteredAt addURL: String, scope: [String], admin: AdminChrome) {
        query = nil
        sections = []
        emptiness = "No device with this UDID is registered."
        self.addURL = addURL
        self.scope = scope
        self.admin = admin
    }

    /// The results of one kind.
    package struct Section: Sendable {
        let id: String
        let title: String
        let rows: [Row]
        let all: All?

        /// - Parameters:
        ///   - title: a title such as `Apps`.
        ///   - rows: the first results.
        ///   - total: the number of all results; nil if they were not counted.
        ///   - allURL: the list of all results; nil if there is none.
        package init(_ title: String, _ rows: [Row], total: Int? = nil, allURL: String? = nil) {
            let id = title.lowercased()
            self.id = id
            self.title = title
            self.rows = rows
            let isMore = total.map { $0 > rows.count } ?? true
            all =
                isMore && !rows.isEmpty
                ? allURL.map { url in
                    All(title: "Show all \(total.map { "\($0) " } ?? "")\(id)", url: url)
                } : nil
        }
    }

    /// A link to the whole list.
    struct All: Sendable {
        let title: String
        let url: String
    }

    /// One result.
    package struct Row: Sendable {
        let title: String
        let detail: String
        let url: String

        package init(_ title: String, _ detail: String, url: String) {
            self.title = title
            self.detail = detail
            self.url = url
        }

        package init(_ device: Device, url: String) {
            self.init(
                device.name,
                device.kind + (device.state == .disabled ? ", disabled" : ""),
                url: url,
            )
        }
    }
}

extension AdminLinks {
    /// The path of the search form, and of its results.
    package var search: String { root + "/search" }

    package func search(_ query: String) -> String {
        "\(search)?q=\(InstallLink.percentEncoded(query))"
    }
}
