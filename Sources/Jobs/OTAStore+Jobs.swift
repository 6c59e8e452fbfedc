package import Essentials
package import Releases
package import Store

/// The documents of jobs.
extension OTAStore {
    /// The number of jobs that may be open.
    package static let jobLimit = 500
    /// The number of requested jobs that may be open to sign releases of one app.
    package static let jobShare = 50
    /// The number of the newest jobs that are kept; older ones are removed once they are over.
    package static let jobMemory = 200

    /// All jobs, newest first, without reading any of them.
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

    /// The job with an identifier that a user typed.
    ///
    /// - Throws: ``JobRefusal/unknown(_:)`` and ``StoreFailure``.
    package func job(named text: String) throws -> Job {
        guard let identifier = JobIdentifier(text), let job = try job(identifier) else {
            throw JobRefusal.unknown(text)
        }
        return job
    }

    /// Jobs, newest first, at most `count`.
    ///
    /// Unreadable ones are left out; ``jobProblems()`` names them.
    package func jobs(count: Int = .max) throws -> [Job] {
        var jobs: [Job] = []
        for identifier in try jobIdentifiers() where jobs.count < count {
            if let job = try unlessDamaged({ try job(identifier) }) { jobs.append(job) }
        }
        return jobs
    }

    /// Jobs that have not ended, oldest first.
    package func openJobs() throws -> [Job] {
        try jobs().filter { !$0.state.isOver }.reversed()
    }

    /// Queues a job, unless an open one is for the same.
    ///
    /// A waiting job that signs the same release with something else is replaced by this one, so that each
    /// release has at most one waiting job.
    ///
    /// - Parameters:
    ///   - job: the job.
    ///   - share: the number of jobs of its app and kind that may be open; nil for no limit of its own.
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
            // If that job has begun in the meantime, it continues, and this one runs after it.
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

    /// Changes a job, and records when.
    ///
    /// `recording` returns the entries for the activity, as in
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

    /// Removes the oldest jobs that are over, beyond ``jobMemory``.
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

    /// Returns the documents of jobs that cannot be read.
    ///
    /// - Throws: ``StoreFailure`` only if the store cannot be listed.
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
    /// Whether both jobs are for the same, so that one of them is enough.
    fileprivate func isSame(as other: Job) -> Bool {
        guard kind == other.kind, app == other.app, release == other.release,
            team == other.team, cancelledBy == nil
        else { return false }
        switch kind {
        case .sign:
            guard let signing, let task = other.signing else { return false }
            return signing.isSame(as: task)
        // A job that has chosen its profiles cannot include further devices.
        case .renewProfile: return step == other.step
        case .registerDevice, .renewCertificate: return true
        }
    }
}
