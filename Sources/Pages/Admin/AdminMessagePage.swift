/// A message to an admin, such as why nothing was changed, with a link back.
package struct AdminMessagePage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let message: String
    let fix: String?
    /// The identifier of the problem; nil for other messages.
    let problem: String?
    let backURL: String?

    package init(
        title: String,
        message: String,
        fix: String? = nil,
        problem: String? = nil,
        backURL: String? = nil,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.title = title
        self.message = message
        self.fix = fix
        self.problem = problem
        self.backURL = backURL
    }
}
