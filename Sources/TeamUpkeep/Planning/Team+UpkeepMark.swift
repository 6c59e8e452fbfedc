import Cryptography
import Essentials
import Releases

extension Team {
    /// A mark that changes if something in the team has changed that may unblock a job waiting for an
    /// admin.
    ///
    /// What jobs themselves record is not part of it, such as the last snapshot of the account.
    var upkeepMark: String {
        var parts = profiles.map { "profile \($0.uuid)" }
        parts.append("identity \(identity?.sha256.description ?? "none")")
        if let account {
            parts.append(
                "key \(account.keyID) of \(account.issuer), \(account.added.timeIntervalSince1970)"
            )
            parts.append("agreed \(account.isActive)")
        }
        return UpkeepPlanner.digest(parts)
    }
}
