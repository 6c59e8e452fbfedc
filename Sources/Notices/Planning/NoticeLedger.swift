/// The notices that were sent, and the queue: `notices.json`.
///
/// This is one document, so that a notice is queued in the same step in which it counts as sent: if the
/// process ends at any point, no notice is queued twice and none is lost.
package struct NoticeLedger: Codable, Sendable, Equatable {
    /// The last notice about devices that an app's newest build lacks.
    struct Missing: Codable, Sendable, Equatable {
        let release: String
        /// A ``MissingDevices/fingerprint``.
        let devices: String
        let count: Int

        /// Whether it is from an earlier version, which kept a SHA-256 that says nothing about the current
        /// devices.
        var isOfEarlierVersion: Bool { devices.utf8.count == 64 }
    }

    package var schema = 1
    /// The number of processed bytes of each activity journal; nil before the first read.
    var journals: [String: Int]?
    /// By ``ExpiringItem/key``.
    var reminders: [String: Reminders] = [:]
    /// By bundle identifier.
    var missing: [String: Missing] = [:]
    /// The share of slots in the last notice, in percent, by team, family and year.
    var slots: [String: Int] = [:]
    /// The damage of which a notice was sent, and that still exists; nil for none.
    var damage: [String]?
    package var outbox = Outbox()

    package init() {}

    /// Above this number, reminders about items that no longer exist are removed.
    static let mostReminders = 2000
    static let mostSlots = 200
}
