import Bytes
import GitRepositories
import Mirrors
import Releases
import Sandboxing
import Store

/// The checkout of a build on the server, created when it is first needed: a build whose steps all run on
/// runners has none until a runner uploads files.
actor BuildCheckout {
    private let plan: BuildPlan
    private var isThere: Bool
    private var isAbandoned = false
    nonisolated let workspace: Workspace

    /// `isThere` says that an earlier process made the checkout and that steps have run in it.
    init(of plan: BuildPlan, in workspace: Workspace, isThere: Bool = false) {
        self.plan = plan
        self.workspace = workspace
        self.isThere = isThere
    }

    /// Makes the checkout if it does not exist.
    ///
    /// - Throws: why the commit cannot be checked out, and ``BuildStop/cancelled(by:)``.
    func require() async throws {
        guard !isThere else { return }
        let (plan, top) = (plan, workspace.checkout)
        try await workspace.prepare()
        try await plan.record.untilCancelled { try await Self.checkOut(plan, into: top) }
        isThere = true
    }

    /// Opens the checkout, without following symbolic links.
    func open() async throws -> OpenFolder {
        try await require()
        let workspace = workspace
        return try await blocking { try workspace.openCheckout() }
    }

    /// Opens the checkout; nil if no step has needed one, or after ``abandon()``.
    func openIfThere() async throws -> OpenFolder? {
        isThere && !isAbandoned ? try await open() : nil
    }

    /// Notes that files in the checkout may be incomplete, so that none is used.
    func abandon() {
        isAbandoned = true
    }

    private static func checkOut(_ plan: BuildPlan, into top: String) async throws {
        var extent = CheckoutExtent()
        let repository = plan.place.repository(of: plan.mirror)
        try await repository.checkOut(
            plan.commit,
            into: top,
            symbolicLinks: plan.mirror.makesSymbolicLinks,
            after: &extent,
        )
        var submodules = SubmoduleCheckout(of: plan.mirror, in: plan.place, top: top) {
            plan.log.say($0)
        }
        try await submodules?.fill(
            plan.commit,
            of: repository,
            from: plan.mirror.address,
            after: &extent,
        )
    }
}
