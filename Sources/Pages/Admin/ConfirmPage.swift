/// Asks once more before something that cannot be taken back lightly.
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
    ///   - consequences: what comes of it, a sentence each.
    ///   - action: the button's word and the form's address.
    ///   - input: what else is asked.
    ///   - fields: what the form carries along.
    ///   - cancelURL: the way back.
    ///   - isDangerous: whether something is lost.
    ///   - admin: what surrounds the page.
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

    /// A line that the form asks for.
    package struct Input: Sendable {
        let name: String
        let label: String
        let hint: String
        let limit: String
        let value: String
        /// Why what was typed was refused; nil before anything was.
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
