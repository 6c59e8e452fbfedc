import APIDocuments
import Foundation
import Jobs
import Problems
import Releases
import Store
import TeamUpkeep

extension AttentionSearch {
    /// Teams for which nothing can be signed, because their private keys cannot be unsealed.
    func lockedTeams() throws -> [AttentionEntry] {
        let keyFile = administration.keyFile
        guard let locked = try store.lockedTeams(by: keyFile) else { return [] }
        let isOne = locked.teams.count == 1
        return [
            AttentionEntry(
                .urgent,
                "Private \(isOne ? "key" : "keys") of \(locked.names) cannot be opened",
                Wording.sentence(locked.reason) + " " + Wording.sentence(locked.fix),
                at: .teams,
            )
        ]
    }

    /// Problems with the server's work in a team's developer account, and what needs an admin there.
    func troubles() -> [AttentionEntry] {
        teams.compactMap { team in
            guard let account = team.account else { return nil }
            if let trouble = account.trouble {
                return AttentionEntry(
                    trouble.needsPerson ? .urgent : .warning,
                    "\(team.name): \(trouble.message)",
                    trouble.needsPerson
                        ? Wording.sentence(Self.plain(trouble.fix))
                        : "The server has been trying again since "
                            + Wording.moment(trouble.since) + ".",
                    at: .teams,
                )
            }
            guard !account.isActive else { return nil }
            return AttentionEntry(
                .warning,
                "\(team.name) waits for your permission to make changes at Apple",
                "“Compare devices” on the Teams page shows what the server would "
                    + "change.",
                at: .teams,
            )
        }
    }

    /// Removes the backticks of code, which pages do not render.
    static func plain(_ text: String) -> String { text.replacing("`", with: "") }
}
