/// The form for a mirror's settings.
package struct MirrorSettingsPage: AdminPage {
    package let admin: AdminChrome
    let name: String
    let mirrorURL: String
    let form: MirrorForm

    package init(name: String, mirrorURL: String, form: MirrorForm, admin: AdminChrome) {
        self.name = name
        self.mirrorURL = mirrorURL
        self.form = form
        self.admin = admin
    }
}
