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
    /// Why the last look, at that time, failed.
    package var problem: String?
    /// The number of the next build.
    package var next = 1
    /// Deliveries of webhooks that were taken, oldest first.
    package var deliveries: [String] = []
    /// A webhook came, and nobody has looked since.
    package var isDue = false

    package static let deliveryLimit = 2000

    package init() {}
}
