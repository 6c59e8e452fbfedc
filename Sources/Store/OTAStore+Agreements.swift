import Identifiers
import Releases

extension OTAStore {
    /// Withdraws the agreement of all teams, so that nothing is changed in developer accounts before an
    /// admin agrees again.
    ///
    /// A restored store may be a copy of one that is still in use, and does not know what has happened
    /// since the backup.
    ///
    /// Damaged teams are skipped; the server does nothing for them either.
    ///
    /// - Returns: the identifiers of the teams that had an agreement.
    func withdrawAgreements() throws(StoreFailure) -> [String] {
        var withdrawn: [String] = []
        for file in try backend.names(in: .teams).sorted() where file.hasSuffix(".json") {
            guard let identifier = TeamIdentifier(String(file.dropLast(5))) else { continue }
            do {
                guard let team = try team(identifier), team.account?.isActive == true else {
                    continue
                }
                _ = try changeTeam(identifier) { team in
                    team.account?.agreed = nil
                    team.account?.agreedBy = nil
                }
                // The earlier generation still records the agreement.
                try backend.forgetPrevious(of: .team(identifier))
                withdrawn.append(identifier.rawValue)
            } catch let failure as StoreFailure {
                guard failure.concernsOnePlace else { throw failure }
            } catch {
                preconditionFailure("the change throws nothing of its own")
            }
        }
        return withdrawn
    }
}
