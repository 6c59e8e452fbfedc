/// The form that adds a mirror, or changes its settings.
package struct MirrorForm: Sendable {
    /// The intervals that the form offers, in seconds; 0 means only on demand.
    private static let intervals = [60, 300, 900, 3600, 86_400, 0]

    let url: String
    let formCode: String
    let isNew: Bool
    let name: String
    let address: String
    let branches: String
    let tags: String
    let apps: String
    let intervals: [DeviceSift.Option]
    let allowsPrivate: Bool
    let kept: Kept?
    let button: String
    let problem: PageProblem?

    /// The form's input, or the current settings.
    package struct Draft: Sendable {
        package var name = ""
        package var address = ""
        /// Patterns, separated by commas.
        package var branches = "main, master"
        package var tags = "*"
        /// Bundle identifiers; empty for any.
        package var apps = ""
        /// In seconds; 0 for only on demand.
        package var interval = 300
        package var allowsPrivate = false
        package var problem: PageProblem?

        package init() {}
    }

    /// The secrets that are set, of which pages show nothing else.
    package struct Kept: Sendable {
        let hasToken: Bool
        let hasHookSecret: Bool
        /// The names of variables; nil for none.
        let variables: String?

        /// - Parameters:
        ///   - hasToken: whether a token is set.
        ///   - hasHookSecret: whether pushes are signed.
        ///   - variables: the names of the variables.
        package init(hasToken: Bool, hasHookSecret: Bool, variables: [String]) {
            self.hasToken = hasToken
            self.hasHookSecret = hasHookSecret
            self.variables = variables.isEmpty ? nil : variables.joined(separator: ", ")
        }
    }

    /// - Parameters:
    ///   - draft: the fields' values, without secrets.
    ///   - kept: the secrets that are set; nil for a new mirror.
    ///   - url: the form's target.
    ///   - formCode: the value of each form's `form` field.
    package init(_ draft: Draft, keeping kept: Kept?, sentTo url: String, formCode: String) {
        self.url = url
        self.formCode = formCode
        self.kept = kept
        isNew = kept == nil
        name = draft.name
        address = draft.address
        branches = draft.branches
        tags = draft.tags
        apps = draft.apps
        allowsPrivate = draft.allowsPrivate
        problem = draft.problem
        button = kept == nil ? "Add mirror" : "Save"
        let isUsual = Self.intervals.contains(draft.interval)
        intervals = (Self.intervals + (isUsual ? [] : [draft.interval])).map {
            DeviceSift.Option("\($0)", Self.words(forInterval: $0), "\(draft.interval)")
        }
    }

    /// Returns an interval in words, such as `every 5 minutes`.
    package static func words(forInterval seconds: Int) -> String {
        let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        guard let (size, unit) = units.first(where: { seconds >= $0.0 && seconds % $0.0 == 0 })
        else { return "only on demand" }
        let count = seconds / size
        return count == 1 ? "every \(unit)" : "every \(count) \(unit)s"
    }
}
