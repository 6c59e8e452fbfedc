import Cryptography
package import Identifiers
package import Releases

extension OTAStore {
    /// Changes a team and records activity in one step.
    ///
    /// A secret that the change removes is also deleted from the previous generation of the document.
    ///
    /// - Parameters:
    ///   - identifier: the team.
    ///   - change: may be called several times.
    ///   - recording: as in ``change(_:else:_:recording:)``.
    /// - Returns: the team as stored.
    /// - Throws: the errors of `change`, ``StoreFailure/missing(path:)`` for an unknown team.
    @discardableResult
    package func changeTeam(
        _ identifier: TeamIdentifier,
        _ change: (inout Team) throws -> Void,
        recording: () throws -> [Activity],
    ) throws -> Team {
        var before: [SealedBytes] = []
        let result = try self.change(.team(identifier), else: nil) { (team: inout Team) in
            before = team.secrets
            try change(&team)
        } recording: {
            try recording()
        }
        if !result.value.keepsAll(of: before) {
            try backend.forgetPrevious(of: .team(identifier))
        }
        return result.value
    }
}
