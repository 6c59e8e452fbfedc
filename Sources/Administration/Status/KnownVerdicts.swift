package import APIDocuments
import Bytes
import Cryptography
package import Foundation
import Inspection
package import Releases
package import Store
import Synchronization

/// Cached verdicts of reports for the devices in use, shared by pages and the API.
private final class KnownVerdicts: Sendable {
    private struct State {
        var register = DeviceRegister()
        /// By the report's digest; at most 16 MiB.
        var found = RecentValues<SHA256Digest, RegisterVerdicts>(limit: 16 << 20)
    }

    private let state = Mutex(State())

    /// Returns the verdict for every device in use, cached for the same register and findings.
    func verdicts(
        by report: InspectionReport,
        _ digest: SHA256Digest,
        for register: DeviceRegister,
        at date: Date,
    ) -> RegisterVerdicts {
        let known = state.withLock { state -> RegisterVerdicts? in
            // Comparing registers that share their storage is immediate.
            if state.register != register {
                state.register = register
                state.found.removeAll()
            }
            return state.found.value(digest)
        }
        if let known, known.hold(of: report, at: date) { return known }
        let verdicts = RegisterVerdicts(of: report, for: register, at: date)
        state.withLock { state in
            guard state.register == register else { return }
            state.found.keep(verdicts, for: digest, cost: verdicts.cost)
        }
        return verdicts
    }
}

extension OTAStore {
    /// Returns the verdict of a release for every device in use.
    ///
    /// It changes with the register, and when something in the release expires.
    package func verdicts(
        on release: Release,
        at date: Date,
    ) throws(StoreFailure) -> RegisterVerdicts {
        let report = try report(of: release)
        let known = try derived("verdicts", of: []) { () throws(StoreFailure) in KnownVerdicts() }
        return known.verdicts(by: report, release.report, for: try devices(), at: date)
    }
}
