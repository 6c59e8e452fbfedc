package import Cryptography
package import Essentials
package import Identifiers
package import Releases
package import Store

/// When rules were last applied to all apps, and what was begun and is not finished: `retention.json`.
package struct RetentionLedger: Codable, Sendable, Equatable {
    package var schema = 1
    /// When the server applied the rules of all apps last, or first saw that there are any.
    package var last: Date?
    /// What a crash may have interrupted; the next run continues it.
    package var open: [OpenRemoval] = []

    package init() {}
}

/// Releases of one app that are about to go; written before the first of them does.
package struct OpenRemoval: Codable, Sendable, Equatable {
    /// A blob that only these releases refer to.
    package struct Blob: Codable, Sendable, Equatable {
        package let sha256: SHA256Digest
        /// Bytes.
        package let size: Int
    }

    package let app: BundleIdentifier
    package let date: Date
    /// Who applies the rules: the server, a token's name, or the user of the command line.
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

    /// What of the document of removals cannot be read.
    package func retentionProblems() -> [StoreProblem] {
        [problem { () throws(StoreFailure) in _ = try retention() }].compactMap(\.self)
    }

    /// The rules that hold for an app: its own, or those for all apps.
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
