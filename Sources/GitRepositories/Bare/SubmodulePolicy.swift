/// Which repositories a commit may include as submodules.
package enum SubmodulePolicy: String, Codable, Sendable, CaseIterable {
    /// Repositories on the server of the repository itself.
    case sameHost = "same-host"
    /// Repositories on any server.
    case any
}
