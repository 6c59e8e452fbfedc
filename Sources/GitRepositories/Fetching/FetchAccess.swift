/// How a fetch accesses the repository: its credential, proxies and certificate authorities, and the
/// addresses to which it is restricted.
package struct FetchAccess: Sendable {
    var credential: GitCredential?
    var surroundings: [String: String]
    var route: FetchRoute

    package init(
        credential: GitCredential?,
        surroundings: [String: String],
        route: FetchRoute,
    ) {
        self.credential = credential
        self.surroundings = surroundings
        self.route = route
    }
}
