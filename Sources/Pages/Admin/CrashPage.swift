/// A symbolicated crash report.
package struct CrashPage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let backURL: String
    let process: String?
    let summary: String
    let tone: String
    let facts: [InstallPage.Fact]
    let notes: [String]
    let hasNotes: Bool
    let crashed: [Stack]
    let others: [Stack]
    let hasOthers: Bool
    let images: [Image]
    let hasImages: Bool
    let remark: String?

    /// - Parameters:
    ///   - title: the title of the release whose page the report was sent from.
    ///   - backURL: the path of that page.
    ///   - content: the report.
    ///   - admin: the page's header and navigation.
    package init(title: String, backURL: String, content: Content, admin: AdminChrome) {
        self.admin = admin
        self.title = title
        self.backURL = backURL
        process = content.process
        summary = content.summary
        tone = content.isNamed ? "good" : "warn"
        facts = content.facts.map { InstallPage.Fact($0.label, $0.value) }
        notes = content.notes
        hasNotes = !notes.isEmpty
        crashed = content.stacks.filter(\.isCrashed)
        others = content.stacks.filter { !$0.isCrashed }
        hasOthers = !others.isEmpty
        images = content.images
        hasImages = !images.isEmpty
        remark = content.remark
    }

    package struct Content: Sendable {
        package var process: String?
        /// How many frames have names, as a sentence.
        package var summary = ""
        /// Whether every frame of the app has a name.
        package var isNamed = false
        package var facts: [(label: String, value: String)] = []
        package var notes: [String] = []
        package var stacks: [Stack] = []
        package var images: [Image] = []
        package var remark: String?

        package init() {}
    }

    /// A thread, or the backtrace of the exception.
    package struct Stack: Sendable {
        let heading: String
        /// Whether it is shown open and first.
        let isCrashed: Bool
        let frames: [Frame]
        /// The text if not all frames are listed.
        let more: String?

        package init(heading: String, isCrashed: Bool, frames: [Frame], more: String?) {
            self.heading = heading
            self.isCrashed = isCrashed
            self.frames = frames
            self.more = more
        }
    }

    package struct Frame: Sendable {
        let number: String
        let name: String
        let place: String
        /// Whether the source of the frame is known.
        let isNamed: Bool
        let isInlined: Bool

        package init(number: String, name: String, place: String, isNamed: Bool, isInlined: Bool) {
            self.number = number
            self.name = name
            self.place = place
            self.isNamed = isNamed
            self.isInlined = isInlined
        }
    }

    /// A loaded executable or library.
    package struct Image: Sendable {
        let name: String
        let detail: String
        let chip: Chip

        package init(name: String, detail: String, state: String, tone: String) {
            self.name = name
            self.detail = detail
            chip = Chip(state, tone: tone)
        }
    }
}
