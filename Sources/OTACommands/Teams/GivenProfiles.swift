import Problems

/// The files of profiles that a command was given; the reader of their bytes calls them `profile 1`,
/// `profile 2` and so on.
struct GivenProfiles {
    private let files: [String]

    init(_ files: [String]) {
        self.files = files
    }

    /// Does what needs the profiles; a refusal of one names its file.
    func naming<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            let problem = Problem(error)
            guard
                let index = files.indices.first(where: { problem.place == "profile \($0 + 1)" })
            else { throw error }
            throw Problem(
                id: problem.id,
                kind: problem.kind,
                message: problem.message,
                place: files[index],
                fix: problem.fix,
                pageFix: problem.pageFix,
            )
        }
    }
}
