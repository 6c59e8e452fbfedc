extension OTAStore {
    /// What tells whether devices, teams, jobs or anything of apps has changed, without opening any document; nil
    /// where that cannot be said for sure.
    package func upkeepStamps() throws(StoreFailure) -> [ChangeStamp]? {
        try changeStamps(of: [
            DocumentName.devices.path, DocumentName.teams.path, DocumentName.jobs.path,
            DocumentName.apps.path,
        ])
    }
}
