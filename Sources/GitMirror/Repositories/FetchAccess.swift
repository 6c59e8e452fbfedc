/// What a fetch goes with: what the repository asks for, where proxies and authorities are, and which
/// addresses it is held to.
struct FetchAccess: Sendable {
    var credential: GitCredential?
    var surroundings: [String: String] = [:]
    var route = FetchRoute.unheld
}
