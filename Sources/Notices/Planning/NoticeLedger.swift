/// The notices that were sent, and the queue: `notices.json`.
///
/// One document, so that a notice is queued in the same step in which it counts as sent: if the
/// process ends at any point, no notice is sent twice and none is lost.
package struct NoticeLedger: Codable, Sendable, Equatable {
    /// The last notice about devices that an app's newest build lacks.
    struct Missing: Codable, Sendable, Equatable {
        let release: String
        /// ``MissingDevices/fingerprint``.
        let devices: String
        let count: Int

        /// Earlier versions kept a SHA-256, which says nothing about the devices now.
        var isOfEarlierVersion: Bool { devices.utf8.count == 64 }
    }

    package var schema = 1
    /// Bytes of each journal of activity that are processed; nil before the first read.
    var journals: [String: Int]?
    /// By ``ExpiringItem/key``.
    var reminders: [String: Reminders] = [:]
    /// By bundle identifier.
    var missing: [String: Missing] = [:]
    /// The share of slots in the last notice, in percent, by team, family and year.
    var slots: [String: Int] = [:]
    /// The damage of which there was a notice, and that is still there; nil for none.
    var damage: [String]?
    package var outbox = Outbox()

    package init() {}

    /// Reminders about items that no longer exist are removed once there are many.
    static let mostReminders = 2000
    static let mostSlots = 200
}
