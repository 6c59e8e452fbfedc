import Bytes
import Foundation
import Releases
import Store

extension NoticeWriter {
    /// The number of problems that a notice describes; the page that it links to has all.
    private static let mostDescribed = 5

    /// Returns the notice about damaged or missing parts of the store.
    ///
    /// - Parameter problems: the problems; never empty.
    /// - Returns: the notice.
    func notice(ofDamage problems: [StoreProblem]) -> Notice {
        let described = problems.prefix(Self.mostDescribed).map { problem in
            Self.sentence(problem.message) + " " + Self.sentence("fix: " + problem.fix)
        }
        let rest = problems.count - described.count
        let more = rest > 0 ? ["And \(rest) more."] : []
        var notice = notice(
            .storeDamaged,
            problems.count == 1
                ? "The store is damaged: \(Self.plain(problems[0].place))"
                : "The store is damaged in \(problems.count) places",
            (described + more).joined(separator: " "),
        )
        notice.damage = problems.prefix(Self.mostListed).map {
            Notice.Damage(id: $0.id, place: Self.plain($0.place))
        }
        notice.link = links?.admin(\.dashboard)
        return notice
    }

    /// Turns a clause into a sentence.
    private static func sentence(_ clause: String) -> String {
        let text = PrintableText(escaping: clause, limit: 300).text
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }

    /// The number of places that a notice lists for scripts.
    private static let mostListed = 50
}
