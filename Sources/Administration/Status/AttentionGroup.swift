package import APIDocuments

/// Everything of one kind that needs an admin's attention, for one card of the overview.
package struct AttentionGroup: Sendable {
    /// What the entries have in common; the raw value is in the URL of the complete list.
    package enum Kind: String, Sendable, CaseIterable {
        case damage, certificate, keys
        case closedApps = "closed-apps"
        case accounts, webhooks, jobs, approvals
        case missingDevices = "missing-devices"
        case unowned, unregistered, slots, deadlines
    }

    /// One entry, worded for a row below the title of its kind.
    package struct Item: Sendable {
        package let entry: AttentionEntry
        /// What the entry is about, such as `Browsey 2.4.0`.
        package let subject: String
        /// The problem, such as `3 devices: Ana’s iPhone, Ben’s iPad and Cleo’s iPhone`.
        package let note: String

        init(_ entry: AttentionEntry, subject: String, note: String) {
            self.entry = entry
            self.subject = subject
            self.note = note
        }

        /// Uses the wording of the entry.
        init(_ entry: AttentionEntry) {
            self.init(entry, subject: entry.title, note: entry.detail)
        }
    }

    package let kind: Kind
    /// At least one item, in the order of display.
    package let items: [Item]

    init?(_ kind: Kind, _ items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.kind = kind
        self.items = items
    }

    /// The most severe level of its items.
    package var level: AttentionEntry.Level {
        let levels = items.map(\.entry.level)
        return levels.contains(.urgent) ? .urgent : levels.contains(.warning) ? .warning : .waiting
    }
}
