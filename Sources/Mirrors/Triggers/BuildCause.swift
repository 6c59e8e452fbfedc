/// Why a build was queued.
package enum BuildCause: String, Codable, Sendable {
    case tag, branch, manual
}
