/// Where an admin edits the notes of a release.
package struct NotesPage: AdminPage {
    package let admin: AdminChrome
    let release: String
    let releaseURL: String
    let actionURL: String
    /// Of the notes as they stood when the form was made.
    let version: String
    let markdown: String
    let preview: String?
    let problem: PageProblem?

    /// - Parameters:
    ///   - name: the release, as in `Browsey 2.4.0 (318)`.
    ///   - url: the release's page.
    ///   - action: where the form is sent.
    ///   - version: names the notes that it was made of.
    ///   - markdown: the notes as they are, or as they were sent for a preview.
    ///   - problem: why they were not taken.
    ///   - admin: what surrounds the page.
    package init(
        of name: String,
        at url: String,
        sentTo action: String,
        version: String,
        markdown: String,
        problem: PageProblem? = nil,
        admin: AdminChrome,
    ) {
        self.admin = admin
        release = name
        releaseURL = url
        actionURL = action
        self.version = version
        self.markdown = markdown
        preview = markdown.isEmpty ? nil : ReleaseNotes.section(markdown)
        self.problem = problem
    }
}
