package import Releases

/// The dSYMs of a release: which executables have them, and the form that symbolicates a crash report.
package struct SymbolsCard: Sendable {
    let summary: String
    let command: String?
    let programs: [Row]
    let hasPrograms: Bool
    let crashURL: String
    let code: String

    /// The most executables that are listed.
    private static let most = 60

    /// One executable, and its dSYM.
    struct Row: Sendable {
        let path: String
        let detail: String
        let state: Chip
        let downloadURL: String?
    }

    /// - Parameters:
    ///   - release: the release.
    ///   - app: the app's name in commands.
    ///   - links: the targets of the page's links.
    ///   - code: the value of each form's `form` field.
    ///   - isPublisher: whether the user may add dSYMs.
    package init(
        of release: Release,
        app: String,
        links: AdminReleaseLinks,
        code: String,
        isPublisher: Bool,
    ) {
        let symbols = release.symbols
        let missing = Set((symbols?.missing ?? []).map(\.path))
        // Executables without a dSYM come first, because something can be done about them.
        let all = symbols?.programs ?? []
        let order =
            all.filter { missing.contains($0.path) }
            + all.filter { !missing.contains($0.path) }
        programs = order.prefix(Self.most).map { program in
            let file = program.images.lazy.compactMap { symbols?.file(of: $0.uuid) }.first
            let architectures = program.images.map(\.architecture).joined(separator: ", ")
            return Row(
                path: program.path,
                detail: file.map { "\(architectures) · \($0.name), \(Wording.size($0.size))" }
                    ?? architectures,
                state: missing.contains(program.path)
                    ? Chip("Missing", tone: "warn") : Chip("Kept", tone: "good"),
                downloadURL: file.flatMap { $0.images.first.map { links.symbols($0.uuid) } },
            )
        }
        hasPrograms = !programs.isEmpty
        let more = all.count > Self.most ? " The first \(Self.most) are listed." : ""
        summary =
            symbols == nil
            ? "This release has no dSYMs, so its crash reports cannot be symbolicated."
            : "\(all.count - missing.count) of \(Wording.count(all.count, "binary", "binaries")) "
                + "\(all.count - missing.count == 1 ? "has" : "have") a dSYM.\(more)"
        command =
            isPublisher && (symbols == nil || !missing.isEmpty)
            ? "ota symbols add \(app) \(release.identifier) App.xcarchive" : nil
        crashURL = links.crash
        self.code = code
    }
}
