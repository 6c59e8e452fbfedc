package import Releases

/// A page for admins, rendered in `AdminLayout` with the navigation around it.
package protocol AdminPage: Page {
    var admin: AdminChrome { get }
}

extension AdminPage {
    package var chrome: PageChrome { admin.page }
}

/// The parts that every page for admins has around its content.
package struct AdminChrome: Sendable {
    let page: PageChrome
    let styleURL: String
    let scriptURL: String
    let copyURL: String
    let homeURL: String
    let who: String
    let rights: String
    let tabs: [Tab]
    /// Sections that do not fit into the tab bar on a phone.
    let furtherTabs: [Tab]
    let isFurther: Bool
    let signOut: Form?
    /// The target that ends all sessions of a person; nil for a token, which several people may use.
    let everywhereURL: String?
    /// The field in the header that searches everything.
    private(set) var search: SearchField
    /// The event stream that tells the script to reload; nil for users who may not listen.
    let eventsURL: String?
    let banner: Banner?
    let flash: Flash?

    /// - Parameters:
    ///   - site: the header and footer of every page of the server.
    ///   - publicURL: returns the path of a public file by its name.
    ///   - reader: the user, and the current section.
    ///   - banner: an important message for everyone.
    ///   - flash: the message of the last action.
    package init(
        site: PageChrome,
        publicURL: (String) -> String,
        reader: Reader,
        banner: Banner? = nil,
        flash: Flash? = nil,
    ) {
        page = site
        styleURL = publicURL("admin.css")
        scriptURL = publicURL("admin.js")
        copyURL = publicURL("copy.js")
        homeURL = reader.links.dashboard
        who = reader.name
        rights = reader.rights
        let all = reader.sections.map { Tab($0, reader) }
        tabs = Array(all.prefix(Self.placesInBar))
        furtherTabs = Array(all.dropFirst(Self.placesInBar))
        isFurther = furtherTabs.contains(where: \.isCurrent)
        signOut = Form(url: reader.links.signOut, code: reader.formCode)
        search = SearchField(url: reader.links.search, code: reader.formCode)
        everywhereURL = reader.isPerson ? reader.links.signOutEverywhere : nil
        eventsURL = reader.eventsURL
        self.banner = banner
        self.flash = flash
    }

    /// Returns a copy with a search text in the header's field.
    func searching(_ text: String) -> AdminChrome {
        var chrome = self
        chrome.search.text = text
        return chrome
    }

    /// The value of each form's `form` field.
    package var code: String { signOut?.code ?? "" }

    /// The number of tabs in the bar on a phone, besides the one that opens the rest.
    private static let placesInBar = 4

    /// The user who sees the page.
    package struct Reader: Sendable {
        let name: String
        let rights: String
        let sections: [AdminSection]
        let current: AdminSection?
        let links: AdminLinks
        let formCode: String
        let eventsURL: String?
        /// The number of items that wait in a section, shown beside its name.
        let waiting: [AdminSection: Int]
        let isPerson: Bool

        /// - Parameters:
        ///   - name: the token's or person's name.
        ///   - rights: such as `Administrator`.
        ///   - sections: the sections that they may see.
        ///   - current: the current section.
        ///   - links: builds paths of admin pages.
        ///   - formCode: the value of each form's `form` field.
        ///   - eventsURL: the event stream; nil if they may not listen.
        ///   - waiting: the number of items that wait in each section.
        ///   - isPerson: whether a person signed in, rather than a token.
        package init(
            name: String,
            rights: String,
            sections: [AdminSection],
            current: AdminSection?,
            links: AdminLinks,
            formCode: String,
            eventsURL: String?,
            waiting: [AdminSection: Int] = [:],
            isPerson: Bool = false,
        ) {
            self.name = name
            self.rights = rights
            self.sections = sections
            self.current = current
            self.links = links
            self.formCode = formCode
            self.eventsURL = eventsURL
            self.waiting = waiting
            self.isPerson = isPerson
        }
    }

    /// An important message for everyone, such as that a profile expires.
    package struct Banner: Sendable {
        let tone: String
        let title: String
        let message: String
        let url: String?

        /// `tone` is `good`, `warn` or `bad`.
        package init(tone: String, title: String, message: String, url: String? = nil) {
            self.tone = tone
            self.title = title
            self.message = message
            self.url = url
        }
    }

    /// A flash message: the result of an action, shown once on the next page.
    package struct Flash: Sendable {
        let message: String
        let tone: String
        let undo: Undo?

        /// `tone` is `good` or `warn`.
        package init(_ message: String, tone: String = "good", undo: Undo? = nil) {
            self.message = message
            self.tone = tone
            self.undo = undo
        }
    }

    /// A form that restores the previous state.
    package struct Undo: Sendable {
        let title = "Undo"
        let url: String
        let code: String
        let fields: [Field]

        package init(url: String, code: String, fields: [(name: String, value: String)]) {
            self.url = url
            self.code = code
            self.fields = fields.map { Field(name: $0.name, value: $0.value) }
        }
    }

    struct Field: Sendable {
        let name: String
        let value: String
    }

    /// A form's target, and its form code, without which it is refused.
    struct Form: Sendable {
        let url: String
        let code: String
    }

    /// The header's search form, sent by `POST` because the text may be a UDID, which must not appear in
    /// a URL.
    struct SearchField: Sendable {
        let url: String
        let code: String
        var text = ""
    }

    struct Tab: Sendable {
        let title: String
        let url: String
        let glyph: String
        let isCurrent: Bool
        let count: String?

        init(_ section: AdminSection, _ reader: Reader) {
            title = section.title
            url = section.url(reader.links)
            glyph = section.glyph
            isCurrent = section == reader.current
            count = reader.waiting[section].flatMap { $0 > 0 ? "\($0)" : nil }
        }
    }
}
