/// Asks for confirmation before an action that is hard to undo.
package struct ConfirmPage: AdminPage {
    package let admin: AdminChrome
    let question: String
    let consequences: [String]
    let actionURL: String
    let fields: [Field]
    let input: Input?
    let button: String
    let isDangerous: Bool
    let cancelURL: String

    /// - Parameters:
    ///   - question: the heading, such as `Withdraw 2.4.0 (318)?`
    ///   - consequences: the consequences, a sentence each.
    ///   - action: the button's text and the form's target.
    ///   - input: a text that is also required.
    ///   - fields: hidden fields of the form.
    ///   - cancelURL: the previous page.
    ///   - isDangerous: whether something is lost.
    ///   - admin: the page's header and navigation.
    package init(
        _ question: String,
        consequences: [String],
        action: MessagePage.Action,
        input: Input? = nil,
        fields: [(name: String, value: String)] = [],
        cancelURL: String,
        isDangerous: Bool = true,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.question = question
        self.consequences = consequences
        actionURL = action.url
        button = action.title
        self.input = input
        self.fields = fields.map { Field(name: $0.name, value: $0.value) }
        self.isDangerous = isDangerous
        self.cancelURL = cancelURL
    }

    struct Field: Sendable {
        let name: String
        let value: String
    }

    /// A text field of the form.
    package struct Input: Sendable {
        let name: String
        let label: String
        let hint: String
        let limit: String
        let value: String
        /// Why the last input was refused; nil before the first.
        let problem: PageProblem?

        package init(
            name: String,
            label: String,
            hint: String,
            limit: Int,
            value: String = "",
            problem: PageProblem? = nil,
        ) {
            self.name = name
            self.label = label
            self.hint = hint
            self.limit = "\(limit)"
            self.value = value
            self.problem = problem
        }
    }
}
