extension VersionFacts {
    /// Restores the facts from their ``environment``; nil if a variable is missing or invalid.
    package init?(recordedIn environment: [String: String]) {
        guard let tag = environment["TAG"], let version = environment["VERSION"],
            let marketingVersion = environment["MARKETING_VERSION"],
            let buildNumber = environment["BUILD_NUMBER"].flatMap({ Int($0) }),
            let channel = environment["CHANNEL"], let notes = environment["NOTES"],
            let commit = environment["COMMIT"].flatMap({ CommitIdentifier($0) })
        else { return nil }
        self.tag = tag
        self.version = version
        self.marketingVersion = marketingVersion
        self.buildNumber = buildNumber
        self.channel = channel
        self.commit = commit
        self.notes = notes
    }
}
