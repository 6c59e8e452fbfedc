import Problems

/// The profile files that a command was given; errors about their bytes name them `profile 1`, `profile 2`
/// and so on.
struct GivenProfiles {
    private let files: [String]

    init(_ files: [String]) {
        self.files = files
    }

    /// Runs `work`; if a profile is refused, the error names its file.
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
