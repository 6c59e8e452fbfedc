import Bytes
import Essentials
package import Versions

/// Facts about the checkout.
extension Git {
    /// The commit of `HEAD`, on a branch or detached.
    ///
    /// - Throws: ``CheckoutRefusal`` if the folder is not a repository, or the repository is broken or has
    ///   no commits.
    package func checkedOut() async throws -> CommitIdentifier { try await head().commit }

    /// The commit of `HEAD`, and whether the repository is a shallow clone.
    ///
    /// - Throws: as ``checkedOut()``.
    func head() async throws -> (commit: CommitIdentifier, isShallow: Bool) {
        let outcome = try await run([
            "rev-parse", "--is-shallow-repository", "--verify", "--quiet", "--end-of-options",
            "HEAD^{commit}",
        ])
        let lines = outcome.output.split(separator: UInt8(ascii: "\n")).map { Self.line(Array($0)) }
        if outcome.status == 0, lines.count == 2, let commit = CommitIdentifier(lines[1]) {
            return (commit, lines[0] == "true")
        }
        let repository = try await run(["rev-parse", "--git-dir"])
        guard repository.status == 0 else {
            // Git's message about a broken repository would only mislead if there is none.
            throw Self.hasRepository(above: directory)
                ? CheckoutRefusal.unusable(directory, said: Self.lastWords(repository.errors))
                : CheckoutRefusal.noRepository(directory)
        }
        throw CheckoutRefusal.noCommit(directory)
    }

    /// Whether the folder or one above it contains `.git`.
    private static func hasRepository(above directory: String) -> Bool {
        var folder = URL(filePath: directory).standardizedFileURL.resolvingSymlinksInPath()
        while true {
            let place = folder.appending(path: ".git").path(percentEncoded: false)
            if FileManager.default.fileExists(atPath: place) { return true }
            let parent = folder.deletingLastPathComponent().standardizedFileURL
            guard parent.path().utf8.count < folder.path().utf8.count else { return false }
            folder = parent
        }
    }

    /// Whether the clone is shallow, so that commits cannot be counted.
    package func isShallow() async throws -> Bool {
        try await output(["rev-parse", "--is-shallow-repository"]).trimmingWhitespace() == "true"
    }

    /// The top folder of the checkout; nil in a bare repository.
    package func topFolder() async throws -> String? {
        let outcome = try await run(["rev-parse", "--show-toplevel"])
        let path = Self.line(outcome.output)
        return outcome.status == 0 && !path.isEmpty ? path : nil
    }

    /// Tracked files that differ from the commit, at most a hundred.
    package func changedFiles() async throws -> [String] {
        var git = self
        git.overriding = try await withoutFilters()
        let outcome = try await git.run([
            "status", "-z", "--porcelain=v1", "--untracked-files=no", "--ignore-submodules=all",
            "--no-renames",
        ])
        // A bare repository has no files that could differ.
        guard outcome.status == 0 else { return [] }
        return String(decoding: outcome.output, as: UTF8.self).split(separator: "\0")
            .prefix(100).map { String($0.dropFirst(3)) }
    }

    /// Returns settings that disable filters: to tell whether a file has changed, `git` would start the
    /// programs that the repository's own configuration names.
    private func withoutFilters() async throws -> [(key: String, value: String)] {
        let outcome = try await run([
            "config", "--null", "--name-only", "--get-regexp", #"^filter\."#,
        ])
        let keys = String(decoding: outcome.output, as: UTF8.self).split(separator: "\0")
        let drivers = Set(keys.compactMap { key in key.lastIndex(of: ".").map { key[..<$0] } })
        return drivers.sorted().flatMap { driver in
            ["clean", "smudge", "process"].map { ("\(driver).\($0)", "") }
                + [("\(driver).required", "false")]
        }
    }

    static func line(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).trimmingWhitespace()
    }
}
