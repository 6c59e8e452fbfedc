package import Foundation

/// What a mirror has seen so far: `following/{mirror}.json`.
package struct Following: Codable, Sendable, Equatable {
    package var schema = 1
    /// The commits of branches and tags as the last look found them, by full name.
    package var references: [String: String] = [:]
    /// The commit that each tag was first seen on, also of tags that are gone.
    package var tags: [String: String] = [:]
    package var looked: Date?
    /// Whether a look has succeeded; the first builds nothing.
    package var hasLooked = false
    /// What the last look that succeeded has found.
    package var report: LookReport?
    /// Why the last look, at that time, failed.
    package var problem: String?
    /// The number of the next build.
    package var next = 1
    /// Every build up to this number has ended; nil before any has.
    package var settled: Int?
    /// Deliveries of webhooks that were taken, oldest first.
    package var deliveries: [String] = []
    /// Somebody has asked for a look, and nobody has looked since.
    package var isDue = false
    /// Who; nil for a webhook.
    package var asker: String?
    /// How many looks were asked for by number.
    package var asked: Int?
    /// The last of them that is over, whether it succeeded or not.
    package var answered: Int?

    package static let deliveryLimit = 2000

    package init() {}

    /// Asks for a look; a running server takes it up.
    ///
    /// - Returns: the look's number, which ``answered`` has reached when it is over.
    @discardableResult
    package mutating func ask(by actor: String) -> Int {
        let number = (asked ?? 0) + 1
        asked = number
        isDue = true
        asker = actor
        // What failed before does not hold this one up.
        problem = nil
        return number
    }
}
