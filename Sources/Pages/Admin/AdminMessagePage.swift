/// A message to an admin, such as why nothing was changed, and the way back.
package struct AdminMessagePage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let message: String
    let fix: String?
    /// Which problem it is about; nil for a message that is about none.
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
