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
        ListRunners.self, AddRunner.self, ShowRunner.self, ChangeRunner.self, RemoveRunner.self,
        RenewRunnerCode.self, PauseRunner.self, ResumeRunner.self,
    ]
}

extension ListRunners: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnersDocument {
        let admin = administration.admin
        let stages = try admin.store.stages()
        let now = admin.clock()
        return RunnersDocument(
            runners: try admin.store.runners().runners.map {
                RunnerEntry($0, stages, agent: administration.runnerAgent, at: now)
            }
        )
    }
}

extension ShowRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerDocument {
        let admin = administration.admin
        return RunnerDocument(runner: try administration.entry(of: admin.runner(named: runner)))
    }
}

extension AddRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerCodeDocument {
        let admin = administration.admin
        guard let name = Slug(content.name) else { throw RunnerRefusal.badName(content.name) }
        let labels = try Self.labels(content.labels ?? ["mac"])
        let mirrors = try admin.mirrors(named: content.mirrors)
        let now = admin.clock()
        var code: RunnerSecret?
        try admin.store.changeRunners {
            code = try $0.add(
                name,
                labels: labels,
                mirrors: mirrors,
                references: content.references,
                at: now,
                by: admin.name,
                random: randomBytes,
            )
        } recording: {
            [admin.activity(.runnerAdded, name.rawValue, detail: mirrors.words, at: now)]
        }
        return try administration.document(of: name, with: code)
    }

    /// - Throws: ``RunnerRefusal/badLabel(_:)``.
    fileprivate static func labels(_ texts: [String]) throws(RunnerRefusal) -> [RunnerLabel] {
        try texts.map { text throws(RunnerRefusal) in
            guard let label = RunnerLabel(text) else { throw .badLabel(text) }
            return label
        }
    }
}

extension RenewRunnerCode: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerCodeDocument {
        let admin = administration.admin
        let name = try admin.runner(named: runner).name
        let now = admin.clock()
        var code: RunnerSecret?
        try admin.store.changeRunners {
            code = try $0.renewCode(of: name, at: now, random: randomBytes)
        } recording: {
            [admin.activity(.runnerCodeMade, name.rawValue, at: now)]
        }
        return try administration.document(of: name, with: code)
    }
}

extension ChangeRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerDocument {
        let admin = administration.admin
        let before = try admin.runner(named: runner)
        let labels = try content.labels.map(AddRunner.labels)
        let mirrors = try content.mirrors.map(admin.mirrors)
        let after = try administration.change(before, .runnerChanged) {
            try $0.change(
                before.name,
                labels: labels,
                mirrors: mirrors,
                references: content.references,
            )
        }
        if let kept = mirrors {
            try admin.store.giveUpStages(
                of: before.name,
                except: { kept.contains($0.mirror) },
                because: "runner \(before.name) may no longer build for that mirror",
            )
        }
        if let taken = content.references {
            try admin.store.giveUpStages(
                of: before.name,
                except: { taken.include(untrusted: $0.isUntrusted == true) },
                because: "runner \(before.name) now builds only \(taken.words)",
            )
        }
        return after
    }
}

extension PauseRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerDocument {
        let admin = administration.admin
        let before = try admin.runner(named: runner)
        return try administration.change(before, .runnerPaused) {
            try $0.change(before.name, isPaused: true)
        }
    }
}

extension ResumeRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerDocument {
        let admin = administration.admin
        let before = try admin.runner(named: runner)
        return try administration.change(before, .runnerResumed) {
            try $0.change(before.name, isPaused: false)
        }
    }
}

extension RemoveRunner: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunnerDocument {
        let admin = administration.admin
        let removed = try admin.runner(named: runner)
        let entry = try administration.entry(of: removed)
        let now = admin.clock()
        try admin.store.removeRunner(removed.name) {
            [admin.activity(.runnerRemoved, removed.name.rawValue, at: now)]
        }
        return RunnerDocument(runner: entry, changed: true)
    }
}

extension Administrator {
    fileprivate func runner(named text: String) throws -> Runner {
        guard let name = Slug(text), let runner = try store.runners()[name] else {
            throw RunnerRefusal.unknown(text)
        }
        return runner
    }

    /// - Throws: ``MirrorRefusal/unknown(_:)``, because a runner for a misspelt mirror would wait for ever.
    fileprivate func mirrors(named texts: [String]) throws -> [Slug] {
        try texts.map { try store.mirror(named: $0).name }
    }
}

extension LocalAdministration {
    fileprivate func entry(of runner: Runner) throws -> RunnerEntry {
        RunnerEntry(runner, try admin.store.stages(), agent: runnerAgent, at: admin.clock())
    }

    /// Changes a runner, and records that in the activity if anything changed.
    fileprivate func change(
        _ runner: Runner,
        _ event: Activity.Event,
        _ change: (inout RunnerRegister) throws -> Void,
    ) throws -> RunnerDocument {
        let now = admin.clock()
        var isChanged = false
        try admin.store.changeRunners { register in
            let before = register
            try change(&register)
            isChanged = register != before
        } recording: {
            isChanged
                ? [admin.activity(event, runner.name.rawValue, at: now)] : []
        }
        return RunnerDocument(
            runner: try entry(of: try admin.runner(named: runner.name.rawValue)),
            changed: isChanged,
        )
    }

    fileprivate func document(
        of name: Slug,
        with code: RunnerSecret?,
    ) throws -> RunnerCodeDocument {
        let runner = try admin.runner(named: name.rawValue)
        guard let code, let expires = runner.codeExpires else {
            throw RunnerRefusal.unknown(name.rawValue)
        }
        var command: String?
        if let base = try baseURL(), let agent = runnerAgent {
            command =
                RunnerCommand(
                    server: base,
                    runner: name,
                    code: code,
                    agent: agent,
                    authority: try admin.store.developmentAuthority(),
                ).line
        }
        return RunnerCodeDocument(
            runner: try entry(of: runner),
            code: code.text,
            expires: expires,
            command: command,
        )
    }
}

extension [Slug] {
    fileprivate var words: String { map(\.rawValue).joined(separator: ", ") }
}

extension RunnerEntry {
    /// - Parameters:
    ///   - runner: the runner from the register.
    ///   - stages: all stages, including the runner's.
    ///   - agent: the digest of the agent that the server serves; nil if unknown.
    ///   - date: the current time.
    fileprivate init(
        _ runner: Runner,
        _ stages: [RunnerStage],
        agent: SHA256Digest?,
        at date: Date,
    ) {
        let stage = stages.first { $0.attempt != nil && $0.attempts.last?.runner == runner.name }
        let work = stage.flatMap { stage in
            stage.attempts.last.map {
                Work(
                    mirror: stage.mirror.rawValue,
                    build: stage.build,
                    subject: stage.subject,
                    since: $0.taken,
                )
            }
        }
        let state: State
        switch (runner.token, work, runner.isPaused) {
        case (nil, _, _): state = .unregistered
        case (_, .some, _): state = .building
        case (_, nil, true): state = .paused
        default: state = runner.isOnline(at: date) ? .online : .offline
        }
        self.init(
            name: runner.name.rawValue,
            labels: runner.labels.map(\.rawValue),
            mirrors: runner.mirrors.map(\.rawValue),
            references: runner.references ?? .trusted,
            state: state,
            paused: runner.isPaused == true,
            added: (runner.added, runner.addedBy),
            registered: runner.registered,
            codeExpires: runner.codeExpires.flatMap { $0 > date ? $0 : nil },
            seen: runner.seen,
            machine: runner.machine.map { Machine($0, agent: agent) },
            building: work,
        )
    }
}

extension RunnerEntry.Machine {
    fileprivate init(_ machine: RunnerMachine, agent: SHA256Digest?) {
        self.init(
            system: machine.system,
            python: machine.python,
            xcodes: machine.xcodes,
            freeBytes: machine.freeBytes,
            agentIsCurrent: agent.map { machine.agent == $0.description } ?? true,
        )
    }
}
