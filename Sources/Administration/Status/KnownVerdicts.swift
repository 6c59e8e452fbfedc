package import APIDocuments
import Bytes
import Cryptography
package import Foundation
import Inspection
package import Releases
package import Store
import Synchronization

/// What reports said of the devices in use, shared by pages and the API.
private final class KnownVerdicts: Sendable {
    private struct State {
        var register = DeviceRegister()
        /// By report; 16 MB of them.
        var found = RecentValues<SHA256Digest, RegisterVerdicts>(limit: 16 << 20)
    }

    private let state = Mutex(State())

    /// Judges every device in use, where this was not done for the same register and findings.
    func verdicts(
        by report: InspectionReport,
        _ digest: SHA256Digest,
        for register: DeviceRegister,
        at date: Date,
    ) -> RegisterVerdicts {
        let known = state.withLock { state -> RegisterVerdicts? in
            // Registers that share their storage are compared in no time.
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
    /// What a release means for every device in use.
    ///
    /// That changes with the register, and when something in the release expires.
    package func verdicts(
        on release: Release,
        at date: Date,
    ) throws(StoreFailure) -> RegisterVerdicts {
        let report = try report(of: release)
        let known = try derived("verdicts", of: []) { () throws(StoreFailure) in KnownVerdicts() }
        return known.verdicts(by: report, release.report, for: try devices(), at: date)
    }
}
