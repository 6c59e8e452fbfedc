import Cryptography
import Essentials
import Releases

extension Team {
    /// The same as long as nothing in the team has changed that could unblock a job that waits for a person.
    ///
    /// What jobs note themselves is not in it, such as what Apple said last.
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
