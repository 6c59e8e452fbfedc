package import Releases

/// What the field in the header found: apps, releases, devices, mirrors and builds.
package struct SearchPage: AdminPage {
    /// Rows of each kind.
    package static let length = 6
    /// Characters of what is searched for.
    package static let limit = 100

    package let admin: AdminChrome
    let query: String?
    let sections: [Section]
    let emptiness: String?
    /// The form that adds a device, where a whole identifier was searched that none has.
    let addURL: String?
    /// What was searched, in sentences.
    let scope: [String]

    /// - Parameters:
    ///   - query: what was searched for; nil before anything was.
    ///   - sections: what was found; a kind without a row is left out.
    ///   - scope: what was searched, in sentences.
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

    /// What is shown for a whole identifier that no device has.
    ///
    /// - Parameters:
    ///   - addURL: the form that adds a device.
    ///   - scope: what was searched, in sentences.
    ///   - admin: the page's header and navigation.
    package init(unregisteredAt addURL: String, scope: [String], admin: AdminChrome) {
        query = nil
        sections = []
        emptiness = "No device with this UDID is registered."
        self.addURL = addURL
        self.scope = scope
        self.admin = admin
    }

    /// What was found of one kind.
    package struct Section: Sendable {
        let id: String
        let title: String
        let rows: [Row]
        let all: All?

        /// - Parameters:
        ///   - title: such as `Apps`.
        ///   - rows: the first few that were found.
        ///   - total: how many there are; nil where that was not counted.
        ///   - allURL: where all of them are; nil where there is no such list.
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

    /// The way to the whole list.
    struct All: Sendable {
        let title: String
        let url: String
    }

    /// One thing that was found.
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
    /// The form in the header, and what it finds.
    package var search: String { root + "/search" }

    package func search(_ query: String) -> String {
        "\(search)?q=\(InstallLink.percentEncoded(query))"
    }
}
