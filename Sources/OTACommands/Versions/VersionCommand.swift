import ArgumentParser
import Bytes
import Cryptography
import Foundation
import GitRepositories
import Problems
import Store
import Versions

struct VersionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version of a checkout, from its git tags.",
        discussion: """
            The tag v1.2.3 is version 1.2.3 on stable, v1.3.0-beta.4 is on beta; a commit without \
            a tag is dev. The build number counts the commits, so the clone must have the whole \
            history.
            Examples:
              ota version --json
              ota version --github-output --xcconfig Version.xcconfig
              ota version --prefix browsey/ --check-project ios/project.yml
              eval "$(ota version --shell)"
              ota version --ci --json
            """,
    )

    @Option(help: "The folder of the checkout.")
    var repository = "."

    @Option(help: "Use this tag instead of the one on the commit; an empty value is ignored.")
    var tag: String?

    @Option(
        help: """
            The reference that was pushed: refs/tags/v1.2.3 or refs/heads/main; a branch is dev.
            """
    )
    var ref: String?

    @Flag(
        help: """
            Take the reference from the CI job's variables: GitHub, Gitea, GitLab, Jenkins, Bitrise \
            or Xcode Cloud.
            """
    )
    var ci = false

    @Option(help: "The prefix of the app's tags in a repository of several apps, such as browsey/.")
    var prefix: String?

    @Flag(help: "Continue even if part of the history is missing.")
    var allowShallow = false

    @Flag(help: "Append the variables to FILE, or to the file in $GITHUB_OUTPUT.")
    var githubOutput = false

    @Argument(help: "The file for --github-output.")
    var file: String?

    @Flag(help: "Print only shell assignments, for eval.")
    var shell = false

    @Option(help: "Write MARKETING_VERSION and CURRENT_PROJECT_VERSION to this file.")
    var xcconfig: String?

    @Option(
        help: "Fail if this project.yml or .xcconfig would build another version."
    )
    var checkProject: String?

    @Option(help: "The target to check; default: all applications.")
    var target: String?

    @Option(help: "The configuration to check; default: Release.")
    var configuration: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !repository.isEmpty else {
            throw ValidationError("--repository is empty: give the folder of a checkout")
        }
        guard file == nil || githubOutput else {
            throw ValidationError("<file> needs --github-output")
        }
        guard !shell || !output.json else {
            throw ValidationError("give --shell or --json, not both")
        }
        guard checkProject != nil || target == nil && configuration == nil else {
            throw ValidationError("--target and --configuration need --check-project")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let job = ci ? CIJob(context.environment) : nil
        do {
            try await tell(of: job, in: context)
        } catch  where job?.service == .github && !output.json {
            // GitHub shows the annotation next to the failed step.
            let note = GitHubAnnotations(failure: Problem(error), file: repository)
            context.terminal.remark(note.text)
            throw error
        }
    }

    private func tell(of job: CIJob?, in context: CommandContext) async throws {
        let git = try repositoryGit()
        async let compared = git.changedFiles()
        let checkout = try await git.versionFacts(
            choosing: try choice(pushed: job?.reference),
            allowsShallow: allowShallow,
        )
        let facts = checkout.facts
        let changed = try await compared
        if let xcconfig { try write(facts, toConfigFile: xcconfig) }
        let check = try await check(facts, of: git)
        if githubOutput { try append(facts, in: context) }
        let result = VersionResult(
            facts: facts,
            previous: checkout.previous,
            remarks: checkout.remarks + (changed.isEmpty ? [] : [.changedFiles(changed)]),
            check: check,
        )
        if !output.json {
            for remark in result.remarks {
                let style = context.terminal.errorStyle
                context.terminal.remark(style.warning("note:") + " \(remark)".printable)
            }
        }
        guard !shell else { return try context.terminal.print(String(facts.shellText.dropLast())) }
        try context.show(result, json: output.json)
    }

    private func repositoryGit() throws -> Git {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: repository, isDirectory: &isFolder)
        else { throw CheckoutRefusal.noFolder(repository) }
        guard isFolder.boolValue else { throw CheckoutRefusal.notAFolder(repository) }
        var git = Git(directory: repository)
        // In CI containers the checkout belongs to another user; nothing in it is executed.
        git.trustsDirectory = true
        return git
    }

    /// The tag that was named, or pushed; a pushed branch has none.
    private func choice(pushed: String?) throws -> TagChoice {
        let prefix = try checkedPrefix()
        let given = try checkedReference()
        do throws(TagFlaw) {
            if let tag, !tag.isEmpty, tag != VersionFacts.development {
                return .named(try TagName(tag), prefix: prefix)
            }
            if tag == VersionFacts.development { return .none(prefix: prefix) }
            guard let ref = given ?? pushed else { return .found(prefix: prefix) }
            guard let name = try TagName(reference: ref) else { return .none(prefix: prefix) }
            return .named(name, prefix: prefix)
        } catch {
            throw VersionRefusal.badTag(error)
        }
    }

    /// Refuses a short name, which would be read as a branch.
    private func checkedReference() throws -> String? {
        guard let ref = ref.given, !ref.hasPrefix("refs/") else { return ref.given }
        throw Problem(
            id: "version.bad-reference",
            kind: .invalid,
            message: "\(ref.printable) is not the full name of a reference",
            place: "--ref",
            fix: "give refs/tags/v1.2.3 or refs/heads/main; or name a tag with --tag",
        )
    }

    /// Refuses a prefix that no tag can have, which would silently make every build a dev build.
    private func checkedPrefix() throws -> String? {
        guard let prefix, !prefix.isEmpty else { return nil }
        guard (try? TagName(prefix + "v1.0.0")) != nil else {
            throw VersionRefusal.badPrefix(prefix)
        }
        return prefix
    }

    private func write(_ facts: VersionFacts, toConfigFile path: String) throws {
        let isThere = FileManager.default.fileExists(atPath: path)
        let old = isThere ? try TextInput.read(path, limit: SourceTree.fileLimit) : ""
        let text = ConfigFile.setting(facts.settings, in: old)
        try OutputFile.write(Array(text.utf8), to: path)
    }

    private func append(_ facts: VersionFacts, in context: CommandContext) throws {
        let named = file ?? context.environment["GITHUB_OUTPUT"] ?? ""
        guard !named.isEmpty else {
            throw Problem(
                id: "version.no-github-output",
                kind: .invalid,
                message: "GITHUB_OUTPUT names no file to write to",
                place: "GITHUB_OUTPUT",
                fix: "run this in a step of GitHub Actions, or give a file after --github-output",
            )
        }
        let text = facts.githubOutput(delimiter: "ota_" + Hex.encode(randomBytes(16)))
        try OutputFile.append(Array(text.utf8), to: named)
    }

    private func check(_ facts: VersionFacts, of git: Git) async throws -> ProjectCheck? {
        guard let checkProject else { return nil }
        let tree = try SourceTree(root: try await git.topFolder() ?? repository)
        let project = try XcodeProject(try tree.path(of: checkProject), in: tree)
        let targets = try project.targets(named: target, configuration: configuration)
        let check = ProjectCheck(targets, with: facts)
        if let mismatch = check.mismatch { throw Problem(mismatch, facts: facts) }
        return check
    }
}

extension Problem {
    /// A project that would be built with a version other than the tag's.
    fileprivate init(_ row: ProjectCheck.Row, facts: VersionFacts) {
        let target = "\(row.target.name) (\(row.target.configuration))"
        let stated = row.target.marketingVersion
        let says =
            stated.map { value in
                let missing =
                    value.undefined.isEmpty
                    ? "" : ", because \(value.undefined.joined(separator: ", ")) is not set"
                return "would be built as \(PrintableText(escaping: value.text))\(missing)"
            } ?? "has no MARKETING_VERSION"
        self.init(
            id: "version.project-mismatch",
            kind: .conflict,
            message: "\(target) \(says), but the tag \(facts.tag) says \(facts.version)",
            place: stated?.origin ?? row.target.name,
            fix: row.target.fixedVersion?.fix(for: facts)
                ?? "set MARKETING_VERSION to \(facts.marketingVersion) there and tag again, or let "
                + "`ota version --xcconfig FILE` write a file that the project includes last",
        )
    }
}
