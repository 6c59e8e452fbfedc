/// Which repositories a commit may include as submodules.
package enum SubmodulePolicy: String, Codable, Sendable, CaseIterable {
    /// Those of the server that the repository itself comes from.
    case sameHost = "same-host"
    /// Those of any server.
    case any
}
