import Identifiers

extension OTAStore {
    /// What tells whether devices, teams, jobs or the records of apps have changed, without opening any.
    package func upkeepStamps() throws(StoreFailure) -> [ChangeStamp?] {
        var names = [DocumentName.devices, .teams, .jobs, .apps]
        for app in try self.names(in: .apps) {
            guard let identifier = BundleIdentifier(app) else { continue }
            names.append(try .app(identifier))
        }
        return try names.map { name throws(StoreFailure) in try backend.knownStamp(of: name) }
    }
}
