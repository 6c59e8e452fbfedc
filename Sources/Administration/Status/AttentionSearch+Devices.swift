import APIDocuments
import Bytes
import Foundation
import Identifiers
import Releases
import Store
import TeamUpkeep

extension AttentionSearch {
    func approvals() throws -> [AttentionEntry] {
        let pending = try store.devices().pending
        guard !pending.isEmpty else { return [] }
        return [
            AttentionEntry(
                .waiting,
                "\(Wording.count(pending.count, "device")) to approve",
                Self.names(of: pending),
                at: .devices,
            )
        ]
    }

    func unregistered() throws -> [AttentionEntry] {
        let devices = try store.devices().unregistered.filter { device in
            device.places.contains { $0.state == .approved && !isByServer($0) }
        }
        guard !devices.isEmpty else { return [] }
        return [
            AttentionEntry(
                .waiting,
                "\(Wording.count(devices.count, "device")) to register with Apple",
                Self.names(of: devices),
                at: .devices,
            )
        ]
    }

    /// Devices for which nothing is done, because it is unknown which team owns them.
    func unowned() throws -> [AttentionEntry] {
        let found = TeamDevices.unowned(in: try store.devices(), beside: teams)
        guard let words = found.unownedWords else { return [] }
        return [
            AttentionEntry(
                .warning,
                words,
                Wording.sentence(Self.plain(TeamDevices.unownedFix)),
                at: .devices,
            )
        ]
    }

    func slots() throws -> [AttentionEntry] {
        try store.devices().slots(at: now).compactMap { slots in
            let left = slots.limit - slots.used
            guard left <= slots.limit / 10 else { return nil }
            let team = slots.team.map { " in team \($0)" } ?? ""
            return AttentionEntry(
                left == 0 ? .urgent : .warning,
                left == 0
                    ? "No \(slots.family.title) slots left\(team)"
                    : "\(left) \(slots.family.title) \(left == 1 ? "slot" : "slots") left\(team)",
                slots.resets.map { "The membership year ends on \(Wording.day($0))." }
                    ?? "Set the date on which the membership renews with “ota devices slots "
                    + "--renews”.",
                at: .devices,
            )
        }
    }

    /// `Ana’s iPhone, Ben’s iPad and 3 more`.
    static func names(of devices: [Device]) -> String {
        names(of: devices.prefix(3), count: devices.count)
    }

    static func names(of devices: some Sequence<Device>, count: Int) -> String {
        let shown = devices.map(\.name)
        let more = count - shown.count
        if more > 0 { return shown.joined(separator: ", ") + " and \(more.grouped) more" }
        guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
