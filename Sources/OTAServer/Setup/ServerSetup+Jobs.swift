import Cryptography
import Jobs
import ReleaseSigning
import Releases
import SigningOrders
import Store
import TeamUpkeep
import Uploads

extension ServerSetup {
    /// The service that runs jobs; a server without a key file runs them too, and they fail with that
    /// reason.
    var jobs: JobService {
        let (store, anchors) = (store, profileAnchors)
        let trusted = { @Sendable () throws in anchors.adding(try store.anchors()) }
        let upkeep = AccountWork(
            store,
            through: accounts,
            trusting: trusted,
            clock: configuration.clock,
            random: randomBytes,
        )
        var workers = upkeep.workers
        workers[.sign] = SigningWorker(
            store,
            by: signer,
            keepingFree: configuration.uploads.reserve,
            clock: configuration.clock,
            trusting: trusted,
        )
        return JobService(
            store: store,
            follower: follower,
            runner: JobRunner(store, workers: workers, clock: configuration.clock),
            upkeep: UpkeepWatch(
                store,
                planner: UpkeepPlanner(configuration.upkeep, random: randomBytes),
                trusting: trusted,
                clock: configuration.clock,
            ),
            clock: configuration.clock,
            duties: duties,
            logger: logger,
        )
    }

    /// Signs builds in a process of this server's own program; nil without a key file.
    var signer: (any BuildSigner)? {
        if let signer = configuration.signer { return signer }
        guard let program = configuration.program, let keyFile = configuration.keyFile,
            let folder = store.workFolder
        else { return nil }
        let (store, anchors) = (store, configuration.anchors)
        return ChildSigner(
            SigningProcess(program: program, in: folder.root),
            for: store,
            openingWith: keyFile,
            trusting: { try anchors + store.anchors() },
        )
    }
}
