package import Essentials
package import Releases
package import Store

/// The documents of jobs.
extension OTAStore {
    /// How many jobs may wait.
    package static let jobLimit = 500
    /// How many requested jobs that sign releases of one app may wait.
    package static let jobShare = 50
    /// How many jobs that are over are remembered.
    package static let jobMemory = 200

    /// The jobs that there are, the newest first, without reading any of them.
    package func jobIdentifiers() throws(StoreFailure) -> [JobIdentifier] {
        let suffix = ".json"
        return try names(in: .jobs)
            .compactMap {
                $0.hasSuffix(suffix) ? JobIdentifier(String($0.dropLast(suffix.count))) : nil
            }
            .sorted(by: >)
    }

    package func job(_ identifier: JobIdentifier) throws(StoreFailure) -> Job? {
        try value(Job.self, .job(identifier))
    }

    /// The job that a person means.
    ///
    /// - Throws: ``JobRefusal/unknown(_:)`` and ``StoreFailure``.
    package func job(named text: String) throws -> Job {
        guard let identifier = JobIdentifier(text), let job = try job(identifier) else {
            throw JobRefusal.unknown(text)
        }
        return job
    }

    /// Jobs, the newest first, at most `count`.
    ///
    /// One that cannot be read keeps no other from view; ``jobProblems()`` names it.
    package func jobs(count: Int = .max) throws -> [Job] {
        var jobs: [Job] = []
        for identifier in try jobIdentifiers() where jobs.count < count {
            if let job = try unlessDamaged({ try job(identifier) }) { jobs.append(job) }
        }
        return jobs
    }

    /// Those that have not ended, the oldest first.
    package func openJobs() throws -> [Job] {
        try jobs().filter { !$0.state.isOver }.reversed()
    }

    /// Queues a job, unless one that waits asks for the same.
    ///
    /// One that waits to sign the same release with something else becomes this one, so that each release
    /// has one job that waits.
    ///
    /// - Parameters:
    ///   - job: what is to be done.
    ///   - share: how many jobs of its app may be open; nil for as many as there is room for.
    /// - Returns: the job as it is in the store, and whether it is new.
    /// - Throws: ``JobRefusal/queueFull(_:)``, ``JobRefusal/shareTaken(_:)`` and ``StoreFailure``.
    package func add(_ job: Job, share: Int? = nil) throws -> (job: Job, isCreated: Bool) {
        let open = try openJobs()
        if let same = open.first(where: { $0.isSame(as: job) }) { return (same, false) }
        let waiting = open.first { $0.state == .waiting && $0.signsSameRelease(as: job) }
        if let waiting {
            var isTaken = false
            let changed = try changeJob(waiting.identifier, at: job.created) { waiting in
                isTaken = waiting.state == .waiting
                if isTaken { waiting.ask(for: job) }
            }
            // One that has begun meanwhile continues, and this one runs after it.
            if isTaken { return (changed, true) }
        }
        if let share, open.count(where: { $0.app == job.app && $0.kind == job.kind }) >= share {
            throw JobRefusal.shareTaken(share)
        }
        guard open.count < Self.jobLimit else { throw JobRefusal.queueFull(Self.jobLimit) }
        let name = try DocumentName.job(job.identifier)
        guard try write(job, to: name, if: .absent) else { throw StoreFailure.conflict(name) }
        return (job, true)
    }

    /// Changes a job, and notes when; `recording` says what the activity tells of it, as in
    /// ``Store/OTAStore/change(_:else:_:recording:)``.
    ///
    /// - Throws: ``JobRefusal/unknown(_:)``, what `change` throws, and ``StoreFailure``.
    @discardableResult
    package func changeJob(
        _ identifier: JobIdentifier,
        at date: Date,
        _ change: (inout Job) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> Job {
        let name = try DocumentName.job(identifier)
        guard try backend.stamp(of: name) != nil else {
            throw JobRefusal.unknown(identifier.rawValue)
        }
        return try self.change(name, else: nil) { (job: inout Job) in
            let before = job
            try change(&job)
            if job != before { job.changed = date }
        } recording: {
            try recording()
        }.value
    }

    /// Forgets the oldest of the jobs that are over.
    package func forgetOldJobs() throws {
        let identifiers = try jobIdentifiers()
        guard identifiers.count > Self.jobMemory else { return }
        for identifier in identifiers.dropFirst(Self.jobMemory) {
            let name = try DocumentName.job(identifier)
            guard let job = try unlessDamaged({ try job(identifier) }), job.state.isOver,
                let document = try backend.read(name)
            else { continue }
            try backend.delete(name, at: document.version)
        }
    }

    /// What of the documents of jobs cannot be read.
    ///
    /// - Throws: ``StoreFailure`` only when the store cannot be listed.
    package func jobProblems() throws(StoreFailure) -> [StoreProblem] {
        var problems: [StoreProblem] = []
        for identifier in try jobIdentifiers() {
            let found = problem { () throws(StoreFailure) in _ = try job(identifier) }
            if let found { problems.append(found) }
        }
        return problems
    }
}

extension DocumentName {
    fileprivate static func job(_ identifier: JobIdentifier) throws(StoreFailure) -> DocumentName {
        try DocumentName.jobs.appending(identifier.rawValue + ".json")
    }
}

extension Job {
    /// Whether both ask for the same, so that one of them is enough.
    fileprivate func isSame(as other: Job) -> Bool {
        guard kind == other.kind, app == other.app, release == other.release,
            team == other.team, cancelledBy == nil
        else { return false }
        switch kind {
        case .sign:
            guard let signing, let task = other.signing else { return false }
            return signing.isSame(as: task)
        // One that has chosen its profiles takes no further devices.
        case .renewProfile: return step == other.step
        case .registerDevice, .renewCertificate: return true
        }
    }
}
