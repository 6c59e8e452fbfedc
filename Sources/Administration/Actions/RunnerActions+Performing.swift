package import APIDocuments
import Access
import Cryptography
import Foundation
import Identifiers
import Mirrors
import Releases
import Runners
import Store

extension Actions {
    static let runners: [any PerformedAction.Type] = [
        ListRunners.self, AddRunner.self, ShowRunner.self, ChangeRunner.self, RenewRunnerCode.self,
        PauseRunner.self, ResumeRunner.self, RemoveRunner.self,
    ]
}

extension ListRunners: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnersDocument {
        let store = administration.admin.store
        let stages = try store.stages()
        return RunnersDocument(
            runners: try store.runners().runners.map { administration.entry($0, stages) }
        )
    }
}

extension AddRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerCodeDocument {
        guard let name = Slug(content.name) else { throw RunnerRefusal.badName(content.name) }
        let labels = try administration.labels(content.labels ?? ["mac"])
        let mirrors = try administration.mirrors(content.mirrors)
        return try administration.code(for: name, as: .runnerAdded, for: mirrors) { register in
            try register.add(
                name,
                labels: labels,
                mirrors: mirrors,
                at: administration.admin.clock(),
                by: administration.admin.name,
                random: randomBytes,
            )
        }
    }
}

extension ShowRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerDocument {
        RunnerDocument(runner: try administration.entry(of: administration.runner(runner).name))
    }
}

extension ChangeRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerDocument {
        let admin = administration.admin
        let name = try administration.runner(runner).name
        let labels = try content.labels.map(administration.labels)
        let mirrors = try content.mirrors.map(administration.mirrors)
        let words = [
            labels.map { "labels \($0.map(\.rawValue).joined(separator: ", "))" },
            mirrors.map { "mirrors \($0.map(\.rawValue).joined(separator: ", "))" },
        ].compactMap(\.self).joined(separator: "; ")
        let deed = admin.activity(
            .runnerChanged,
            name.rawValue,
            detail: words,
            at: admin.clock(),
        )
        try admin.store.changeRunners {
            try $0.change(name, labels: labels, mirrors: mirrors)
        } recording: {
            [deed]
        }
        if let mirrors {
            try admin.store.giveUpStages(
                of: name,
                except: { mirrors.contains($0) },
                because: "runner \(name) no longer builds for the mirror",
            )
        }
        return RunnerDocument(runner: try administration.entry(of: name))
    }
}

extension RenewRunnerCode: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerCodeDocument {
        let name = try administration.runner(runner).name
        return try administration.code(for: name, as: .runnerCodeMade) { register in
            try register.renewCode(of: name, at: administration.admin.clock(), random: randomBytes)
        }
    }
}

extension PauseRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> PausedRunnerDocument {
        try administration.setPaused(true, runner: runner)
    }
}

extension ResumeRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> PausedRunnerDocument {
        try administration.setPaused(false, runner: runner)
    }
}

extension RemoveRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RemovedRunnerDocument {
        let admin = administration.admin
        let name = try administration.runner(runner).name
        let deed = admin.activity(.runnerRemoved, name.rawValue, at: admin.clock())
        try admin.store.removeRunner(name) { [deed] }
        return RemovedRunnerDocument(removed: name.rawValue)
    }
}

extension LocalAdministration {
    /// The runner that a user named.
    ///
    /// - Throws: ``RunnerRefusal/unknown(_:)``, `StoreFailure`.
    fileprivate func runner(_ text: String) throws -> Runner {
        guard let name = Slug(text), let runner = try admin.store.runners()[name] else {
            throw RunnerRefusal.unknown(text)
        }
        return runner
    }

    fileprivate func labels(_ texts: [String]) throws -> [RunnerLabel] {
        try texts.map { text in
            guard let label = RunnerLabel(text) else { throw RunnerRefusal.badLabel(text) }
            return label
        }
    }

    /// Mirrors that there are.
    fileprivate func mirrors(_ texts: [String]) throws -> [Slug] {
        try texts.map { try admin.store.mirror(named: $0).name }
    }

    fileprivate func setPaused(
        _ isPaused: Bool,
        runner text: String,
    ) throws -> PausedRunnerDocument {
        let name = try runner(text).name
        let event: Activity.Event = isPaused ? .runnerPaused : .runnerResumed
        let deed = admin.activity(event, name.rawValue, at: admin.clock())
        var isChanged = false
        try admin.store.changeRunners { register in
            isChanged = (register[name]?.isPaused ?? false) != isPaused
            try register.change(name, isPaused: isPaused)
        } recording: {
            isChanged ? [deed] : []
        }
        return PausedRunnerDocument(runner: try entry(of: name), changed: isChanged)
    }

    /// Makes a code for a runner, and the line to paste.
    fileprivate func code(
        for name: Slug,
        as event: Activity.Event,
        for mirrors: [Slug]? = nil,
        _ make: (inout RunnerRegister) throws -> RunnerSecret,
    ) throws -> RunnerCodeDocument {
        // Before anything is changed: without an address there is no line.
        guard let server = try baseURL()?.rawValue else { throw AdministrationRefusal.noBaseURL }
        let authority = try admin.store.ownAuthority().map { $0.sha256.description }
        let deed = admin.activity(
            event,
            name.rawValue,
            detail: mirrors?.map(\.rawValue).joined(separator: ", "),
            at: admin.clock(),
        )
        var made: RunnerSecret?
        try admin.store.changeRunners {
            made = try make(&$0)
        } recording: {
            [deed]
        }
        guard let code = made?.text else { throw RunnerRefusal.unknown(name.rawValue) }
        let line = RunnerLine(
            server: server,
            name: name,
            code: code,
            agent: runnerAgent?.description,
            authority: authority,
        )
        return RunnerCodeDocument(
            runner: try entry(of: name),
            code: code,
            line: line.text,
            server: server,
            agentSHA256: line.agent,
            authoritySHA256: authority,
        )
    }

    fileprivate func entry(of name: Slug) throws -> RunnerEntry {
        entry(try runner(name.rawValue), try admin.store.stages())
    }

    fileprivate func entry(_ runner: Runner, _ stages: [RunnerStage]) -> RunnerEntry {
        let status: RunnerEntry.Status =
            if runner.isPaused == true {
                .paused
            } else if runner.token == nil {
                .new
            } else {
                runner.isOnline(at: admin.clock()) ? .online : .offline
            }
        let building = stages.compactMap { stage -> RunnerEntry.Work? in
            guard let attempt = stage.attempt, let last = stage.attempts.last,
                last.runner == runner.name
            else { return nil }
            return RunnerEntry.Work(
                mirror: stage.mirror.rawValue,
                build: stage.build,
                subject: stage.subject,
                attempt: attempt,
                since: last.taken,
            )
        }
        return RunnerEntry(
            name: runner.name.rawValue,
            labels: runner.labels.map(\.rawValue),
            mirrors: runner.mirrors.map(\.rawValue),
            status: status,
            added: runner.added,
            addedBy: runner.addedBy,
            codeExpires: runner.codeExpires,
            registered: runner.registered,
            seen: runner.seen,
            machine: runner.machine.map { machine in
                RunnerEntry.Machine(
                    system: machine.system,
                    python: machine.python,
                    xcodes: machine.xcodes,
                    freeBytes: machine.freeBytes,
                    isNewest: runnerAgent.map { $0.description == machine.agent },
                )
            },
            building: building,
        )
    }
}

extension OTAStore {
    /// The authority that the server made for itself; nil where it made none.
    fileprivate func ownAuthority() throws -> Certificate? {
        try secret(Self.developmentAuthority).flatMap { try Certificate.chain(pem: $0).first }
    }
}
