/// What every connection of a port shares.
struct Door: Sendable {
    let limits: ServerLimits
    let hosts: HostNames
    let answers: AnswersInMemory
    let ledger: Ledger
    let proxies: Set<String>
    /// Whether builds are uploaded here.
    let takesUploads: Bool
    /// What says so, for the target that was asked for as far as it is known.
    let refusals: @Sendable (RefusedRequest, String) -> StoredAnswer

    var metrics: Metrics { ledger.metrics }

    /// Bytes of a body before any route is asked; where builds go, the route counts them.
    ///
    /// A proxy may pass the base URL's path on or take it away.
    func bodyLimit(for uri: String) -> Int {
        guard takesUploads else { return limits.bodyBytes(for: uri) }
        let path = uri.prefix { $0 != "?" }
        let isUpload = path.hasSuffix(UploadRoutes.path) || path.contains(UploadRoutes.path + "/")
        return isUpload ? .max : limits.bodyBytes(for: uri)
    }
}
