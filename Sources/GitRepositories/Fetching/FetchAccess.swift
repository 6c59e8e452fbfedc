/// What a fetch goes with: what the repository asks for, where proxies and authorities are, and which
/// addresses it is held to.
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
