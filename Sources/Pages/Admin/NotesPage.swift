/// The page on which an admin edits a release's notes.
package struct NotesPage: AdminPage {
    package let admin: AdminChrome
    let release: String
    let releaseURL: String
    let actionURL: String
    /// The version of the notes from which the form was rendered.
    let version: String
    let markdown: String
    let preview: String?
    let problem: PageProblem?

    /// - Parameters:
    ///   - name: the release, as in `Browsey 2.4.0 (318)`.
    ///   - url: the path of the release's page.
    ///   - action: the form's target.
    ///   - version: the version of the notes from which the form is rendered.
    ///   - markdown: the notes, or the text sent for a preview.
    ///   - problem: why they were refused; nil for none.
    ///   - admin: the page's header and navigation.
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
