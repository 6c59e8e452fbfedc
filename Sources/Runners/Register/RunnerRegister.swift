package import Access
package import Essentials
package import Identifiers

/// The machines that build for this server: `runners.json`, readable by the owner only.
///
/// Every change is a function of the document, the current time and a source of randomness.
package struct RunnerRegister: Codable, Equatable, Sendable {
    package static let countLimit = 200
    /// The number of mirrors that one runner may build for.
    package static let mirrorLimit = 200

    package var schema = 1
    /// Sorted by name.
    package private(set) var runners: [Runner] = []

    package init() {}

    package subscript(name: Slug) -> Runner? { runners.first { $0.name == name } }

    /// Adds a runner, which can do nothing until its agent has registered with the code.
    ///
    /// - Parameters:
    ///   - name: the name of the machine.
    ///   - labels: the labels by which steps select it.
    ///   - mirrors: the mirrors that it may build for; the caller checks that they exist.
    ///   - references: the references whose builds it takes; nil for trusted ones only.
    ///   - date: the current time.
    ///   - actor: the user who adds it.
    ///   - random: returns the given number of cryptographically secure random bytes.
    /// - Returns: the code, which is not stored.
    /// - Throws: ``RunnerRefusal`` if the name is taken, no mirror is given, or there are too many runners,
    ///   labels or mirrors.
    package mutating func add(
        _ name: Slug,
        labels: [RunnerLabel],
        mirrors: [Slug],
        references: RunnerReferences? = nil,
        at date: Date,
        by actor: String,
        random: (Int) -> [UInt8],
    ) throws(RunnerRefusal) -> RunnerSecret {
        guard self[name] == nil else { throw .nameTaken(name) }
        guard runners.count < Self.countLimit else { throw .tooMany(Self.countLimit) }
        var runner = Runner(name: name, labels: [], mirrors: [], at: date, by: actor)
        try Self.set(labels, mirrors, of: &runner)
        runner.references = references == .trusted ? nil : references
        let code = Self.give(&runner, at: date, random: random)
        runners.append(runner)
        runners.sort { $0.name.rawValue < $1.name.rawValue }
        return code
    }

    /// Creates another code, for an agent that lost its token or never registered.
    ///
    /// The current token works until the code is used.
    ///
    /// - Throws: ``RunnerRefusal/unknown(_:)``.
    package mutating func renewCode(
        of name: Slug,
        at date: Date,
        random: (Int) -> [UInt8],
    ) throws(RunnerRefusal) -> RunnerSecret {
        Self.give(&runners[try index(of: name)], at: date, random: random)
    }

    /// Registers the agent that presents a runner's code, which is used up.
    ///
    /// - Parameters:
    ///   - code: the code that the agent sent.
    ///   - name: the runner's name that the agent sent, which must be that of the code.
    ///   - machine: the agent's description of its machine.
    ///   - date: the current time.
    ///   - random: returns the given number of cryptographically secure random bytes.
    /// - Returns: the runner, and the token, which is not stored; an earlier token stops working.
    /// - Throws: ``RunnerRefusal/wrongCode`` and ``RunnerRefusal/codeExpired(_:)``.
    package mutating func register(
        showing code: some StringProtocol,
        as name: String,
        on machine: RunnerMachine,
        at date: Date,
        random: (Int) -> [UInt8],
    ) throws(RunnerRefusal) -> (runner: Runner, token: RunnerSecret) {
        guard let shown = RunnerSecret(.code, code) else { throw .wrongCode }
        // All are compared, so that the time reveals nothing about any code.
        let found = runners.indices.filter { shown.matches(runners[$0].code) }
        guard let index = found.first,
            name.utf8.elementsEqual(runners[index].name.rawValue.utf8)
        else { throw .wrongCode }
        guard let expires = runners[index].codeExpires, date < expires else {
            throw .codeExpired(runners[index].name)
        }
        let token = RunnerSecret(.token, random: random)
        runners[index].code = nil
        runners[index].codeExpires = nil
        runners[index].token = token.digest
        runners[index].registered = date
        runners[index].machine = machine.bounded
        runners[index].seen = date
        runners[index].isGone = nil
        return (runners[index], token)
    }

    /// The runner that has a token.
    ///
    /// - Throws: ``RunnerRefusal/unknownToken`` if no runner has it.
    package func runner(
        showing token: some StringProtocol
    ) throws(RunnerRefusal) -> Runner {
        guard let shown = RunnerSecret(.token, token) else { throw .unknownToken }
        guard let runner = runners.filter({ shown.matches($0.token) }).first else {
            throw .unknownToken
        }
        return runner
    }

    /// Changes the settings of a runner; nil leaves a setting unchanged.
    ///
    /// - Throws: ``RunnerRefusal`` for an unknown runner, for no mirror, and for too many labels or
    ///   mirrors.
    package mutating func change(
        _ name: Slug,
        labels: [RunnerLabel]? = nil,
        mirrors: [Slug]? = nil,
        references: RunnerReferences? = nil,
        isPaused: Bool? = nil,
    ) throws(RunnerRefusal) {
        let index = try index(of: name)
        var runner = runners[index]
        try Self.set(labels ?? runner.labels, mirrors ?? runner.mirrors, of: &runner)
        if let references { runner.references = references == .trusted ? nil : references }
        if let isPaused { runner.isPaused = isPaused ? true : nil }
        runners[index] = runner
    }

    /// - Throws: ``RunnerRefusal/unknown(_:)``.
    @discardableResult
    package mutating func remove(_ name: Slug) throws(RunnerRefusal) -> Runner {
        runners.remove(at: try index(of: name))
    }

    /// Removes a mirror from all runners: a later mirror of the same name is a different one.
    package mutating func forget(mirror: Slug) {
        for index in runners.indices { runners[index].mirrors.removeAll { $0 == mirror } }
    }

    /// Records that an agent was heard from, unless that was recorded recently and nothing is new.
    package mutating func note(_ name: Slug, on machine: RunnerMachine?, at date: Date) {
        guard let index = runners.firstIndex(where: { $0.name == name }) else { return }
        guard runners[index].isWorthNoting(machine, at: date) else { return }
        if let machine { runners[index].machine = machine.bounded }
        runners[index].seen = date
        runners[index].isGone = nil
    }

    /// Records that runners are waiting for work, unless that was recorded a moment ago.
    ///
    /// - Returns: whether anything was recorded.
    @discardableResult
    package mutating func note(waiting names: [Slug], at date: Date) -> Bool {
        var isChanged = false
        for index in runners.indices where names.contains(runners[index].name) {
            // Half the grain, so that a runner whose last record was just too new is recorded again before
            // it seems offline.
            let grain = Runner.seenGrain / 2
            guard runners[index].isWorthNoting(nil, at: date, grain: grain) else { continue }
            runners[index].seen = date
            runners[index].isGone = nil
            isChanged = true
        }
        return isChanged
    }

    /// Records that the agents of runners are no longer connected, until they are heard from again.
    ///
    /// - Parameter departures: the runners that are gone, and when each was last heard from; a runner with
    ///   a later record keeps that time.
    /// - Returns: whether anything was recorded.
    @discardableResult
    package mutating func note(gone departures: [Slug: Date]) -> Bool {
        var isChanged = false
        for index in runners.indices where runners[index].isGone != true {
            guard let last = departures[runners[index].name] else { continue }
            runners[index].isGone = true
            runners[index].seen = runners[index].seen.map { max($0, last) } ?? last
            isChanged = true
        }
        return isChanged
    }

    // MARK: Parts

    private func index(of name: Slug) throws(RunnerRefusal) -> Int {
        guard let index = runners.firstIndex(where: { $0.name == name }) else {
            throw .unknown(name.rawValue)
        }
        return index
    }

    private static func set(
        _ labels: [RunnerLabel],
        _ mirrors: [Slug],
        of runner: inout Runner,
    ) throws(RunnerRefusal) {
        let labels = Set(labels).sorted { $0.rawValue < $1.rawValue }
        let mirrors = Set(mirrors).sorted { $0.rawValue < $1.rawValue }
        guard labels.count <= RunnerLabel.countLimit else {
            throw .tooManyLabels(RunnerLabel.countLimit)
        }
        guard mirrors.count <= mirrorLimit else { throw .tooManyMirrors(mirrorLimit) }
        // A runner whose last mirror was removed can still be given other labels.
        guard !mirrors.isEmpty || (runner.mirrors.isEmpty && runner.token != nil) else {
            throw .noMirror
        }
        runner.labels = labels
        runner.mirrors = mirrors
    }

    private static func give(
        _ runner: inout Runner,
        at date: Date,
        random: (Int) -> [UInt8],
    ) -> RunnerSecret {
        let code = RunnerSecret(.code, random: random)
        runner.code = code.digest
        runner.codeExpires = date.addingTimeInterval(Runner.codeLife)
        return code
    }
}
