/// The form that follows a repository, or changes how one is followed.
package struct MirrorForm: Sendable {
    /// Seconds that the form offers; 0 is only on demand.
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

    /// What was typed, or is set.
    package struct Draft: Sendable {
        package var name = ""
        package var address = ""
        /// Patterns, separated by commas.
        package var branches = "main, master"
        package var tags = "*"
        /// Bundle identifiers; empty for any.
        package var apps = ""
        /// Seconds; 0 for only on demand.
        package var interval = 300
        package var allowsPrivate = false
        package var problem: PageProblem?

        package init() {}
    }

    /// Secrets that are set, of which no page shows more than this.
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
    ///   - draft: what the fields contain; secrets are never in it.
    ///   - kept: which secrets are set; nil for a new mirror.
    ///   - url: where the form goes.
    ///   - formCode: what each form carries.
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

    /// `every 5 minutes`.
    package static func words(forInterval seconds: Int) -> String {
        let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        guard let (size, unit) = units.first(where: { seconds >= $0.0 && seconds % $0.0 == 0 })
        else { return "only on demand" }
        let count = seconds / size
        return count == 1 ? "every \(unit)" : "every \(count) \(unit)s"
    }
}
