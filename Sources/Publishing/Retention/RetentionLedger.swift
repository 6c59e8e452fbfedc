package import Cryptography
package import Essentials
package import Identifiers
package import Releases
package import Store

/// When rules were last applied to all apps, and removals in progress: `retention.json`.
package struct RetentionLedger: Codable, Sendable, Equatable {
    package var schema = 1
    /// When the server last applied the rules of all apps, or first noticed that there are rules.
    package var last: Date?
    /// Removals that a crash may have interrupted; the next run continues them.
    package var open: [OpenRemoval] = []

    package init() {}
}

/// Releases of one app that will be removed; written before the first one is.
package struct OpenRemoval: Codable, Sendable, Equatable {
    /// A blob that only these releases refer to.
    package struct Blob: Codable, Sendable, Equatable {
        package let sha256: SHA256Digest
        /// In bytes.
        package let size: Int
    }

    package let app: BundleIdentifier
    package let date: Date
    /// The actor: the server, a token's name, or the user of the command line.
    package let actor: String
    package let releases: [ReleaseIdentifier]
    package let blobs: [Blob]
}

extension OTAStore {
    package func retention() throws(StoreFailure) -> RetentionLedger {
        try value(RetentionLedger.self, .retention) ?? RetentionLedger()
    }

    @discardableResult
    func changeRetention(
        _ change: (inout RetentionLedger) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> RetentionLedger {
        try self.change(.retention, else: RetentionLedger(), change, recording: recording).value
    }

    /// Returns the document of removals if it cannot be read.
    package func retentionProblems() -> [StoreProblem] {
        [problem { () throws(StoreFailure) in _ = try retention() }].compactMap(\.self)
    }

    /// The rules of an app: its own, or those for all apps.
    package func retentionRules(of app: AppRecord) throws(StoreFailure) -> RetentionRules {
        if let own = app.retention { return own }
        return try settings().retention ?? .everything
    }
}

extension DocumentName {
    fileprivate static var retention: DocumentName {
        get throws(StoreFailure) { try DocumentName("retention.json") }
    }
}
