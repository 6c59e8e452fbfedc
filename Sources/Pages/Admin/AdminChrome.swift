package import Releases

/// A page for admins: it stands in `AdminLayout` with the navigation around it.
package protocol AdminPage: Page {
    var admin: AdminChrome { get }
}

extension AdminPage {
    package var chrome: PageChrome { admin.page }
}

/// What every page for admins has around its content.
package struct AdminChrome: Sendable {
    let page: PageChrome
    let styleURL: String
    let scriptURL: String
    let copyURL: String
    let homeURL: String
    let who: String
    let rights: String
    let tabs: [Tab]
    /// What has no place in the bar on a phone.
    let furtherTabs: [Tab]
    let isFurther: Bool
    let signOut: Form?
    /// Where a person ends all their sessions; nil for a token, which others may use too.
    let everywhereURL: String?
    /// The field in the header that searches everything.
    private(set) var search: SearchField
    /// Where the script hears that something happened; nil for who may not listen.
    let eventsURL: String?
    let banner: Banner?
    let flash: Flash?

    /// - Parameters:
    ///   - site: what surrounds every page of the server.
    ///   - publicURL: gives the URL of a public file by its name.
    ///   - reader: who looks, and where they are.
    ///   - banner: what everyone should know at the moment.
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

    /// The same, with what was searched for in the field of the header.
    func searching(_ text: String) -> AdminChrome {
        var chrome = self
        chrome.search.text = text
        return chrome
    }

    /// What each form on the page carries in `form`.
    package var code: String { signOut?.code ?? "" }

    /// How many stand side by side under a thumb, beside the one that opens the rest.
    private static let placesInBar = 4

    /// Who sees the page.
    package struct Reader: Sendable {
        let name: String
        let rights: String
        let sections: [AdminSection]
        let current: AdminSection?
        let links: AdminLinks
        let formCode: String
        let eventsURL: String?
        /// What waits in a section, as a number beside its name.
        let waiting: [AdminSection: Int]
        let isPerson: Bool

        /// - Parameters:
        ///   - name: the token's.
        ///   - rights: such as `Administrator`.
        ///   - sections: those that they may see.
        ///   - current: where they are.
        ///   - links: the addresses.
        ///   - formCode: what each of their forms carries.
        ///   - eventsURL: where they hear what happens; nil when they may not.
        ///   - waiting: what waits for them, by section.
        ///   - isPerson: whether it is a person who signed in, and no token.
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

    /// What everyone should know at the moment, such as a profile that expires.
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

    /// A flash message: the result of an action, shown once on the page that follows.
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

    /// A form that brings back what was before.
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

    /// Where a form goes, and the code without which nothing happens there.
    struct Form: Sendable {
        let url: String
        let code: String
    }

    /// A form that is sent, because what is looked for may be an identifier, which belongs into no
    /// address.
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
