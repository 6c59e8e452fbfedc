extension OTAStore {
    /// The stamps that show whether devices, teams, jobs or anything of apps has changed, without opening
    /// any document; nil if the backend cannot be sure.
    package func upkeepStamps() throws(StoreFailure) -> [ChangeStamp]? {
        try changeStamps(of: [
            DocumentName.devices.path, DocumentName.teams.path, DocumentName.jobs.path,
            DocumentName.apps.path,
        ])
    }
}
