import Identifiers
import Releases

extension OTAStore {
    /// Has nothing done in developer accounts before an admin agrees again: a store that was restored may
    /// be a copy of one that works there still, and knows nothing of what happened since the backup.
    ///
    /// Teams that are damaged are passed over; nothing works for them either.
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
                // It says that an admin has agreed.
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
