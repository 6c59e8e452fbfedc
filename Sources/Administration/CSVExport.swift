package import APIDocuments
import Access
import Foundation
import Identifiers
import Releases
package import Store

/// A list as comma-separated values, created piece by piece: a longer list takes no more memory.
package struct CSVExport: Sendable {
    /// Where the next piece begins.
    package enum Place: Sendable, Equatable {
        case beginning
        /// In the journals.
        case journal(ActivityCursor)
        /// In the register of devices.
        case device(Int)
    }

    /// The number of lines in a piece.
    private static let length = 500

    private let list: ExportedList
    private let store: OTAStore
    private let app: BundleIdentifier?
    private let begin: Date
    /// The filter of exported activity.
    private var filter = ActivityFilter()
    /// The register as it was when the export began.
    private let devices: [DeviceEntry]
    /// Devices by their references in the journals.
    private let known: [String: Device]
    /// Testers' feedback, newest first; its size is bounded by what is kept of an app.
    private var said: [Feedback] = []

    fileprivate init(_ list: ExportedList, _ admin: Administrator) throws {
        self.list = list
        store = admin.store
        switch list {
        case .installs(let name, let days):
            app = try name.map { try admin.app(named: $0).bundleIdentifier }
            begin = admin.clock().addingTimeInterval(-Double(days) * 86_400)
            devices = []
            known = try admin.devicesByReference()
        case .activity(let days, let name, let filter):
            app = try name.map { try admin.app(named: $0).bundleIdentifier }
            let asked = days.map { admin.clock().addingTimeInterval(-Double($0) * 86_400) }
            begin =
                asked ?? filter.from?.start
                ?? admin.clock().addingTimeInterval(-Double(ExportedList.usualDays) * 86_400)
            self.filter = filter
            devices = []
            known = [:]
        case .feedback(let name):
            let found = try admin.app(named: name).bundleIdentifier
            app = found
            begin = .distantPast
            devices = []
            known = [:]
            said = try store.feedback(of: found).entries.reversed()
        case .devices:
            app = nil
            begin = .distantPast
            devices = try admin.document(of: admin.store.devices().devices).devices
            known = [:]
        }
    }

    /// Returns the lines from a place on, and where the next piece begins; nil after the last line.
    ///
    /// - Throws: `StoreFailure` if the store cannot be read.
    package func piece(at place: Place) throws -> (bytes: [UInt8], next: Place?) {
        switch place {
        case .beginning:
            if case .feedback = list {
                return (Self.bytes([header] + said.map { Self.row($0) }), nil)
            }
            let first: Place =
                list == .devices ? .device(0) : .journal(ActivityCursor(beginningOfMonth: begin))
            return (Array(CSVLine.text(header).utf8), first)
        case .device(let start):
            let end = min(start + Self.length, devices.count)
            let rows = devices[start..<end].map { Self.row($0) }
            return (Self.bytes(rows), end < devices.count ? .device(end) : nil)
        case .journal(let cursor):
            return if case .activity = list { try activity(cursor) } else { try installs(cursor) }
        }
    }

    private var header: [String] {
        switch list {
        case .installs:
            [
                "began", "ended", "app", "release", "outcome", "bytes", "device", "device name",
                "person",
            ]
        case .activity: ["date", "actor", "kind", "app", "subject", "detail"]
        case .feedback:
            ["date", "release", "device name", "model", "os", "text", "device", "id", "person"]
        case .devices:
            [
                "name", "family", "model", "model name", "os", "state", "state since", "added",
                "team", "reference", "udid", "further teams",
            ]
        }
    }

    private func activity(_ cursor: ActivityCursor) throws -> (bytes: [UInt8], next: Place?) {
        let followed = try store.follow(from: cursor, count: Self.length)
        let wanted = followed.found.map(\.activity).filter { activity in
            activity.date >= begin && (app.map { $0.rawValue == activity.app } ?? true)
                && filter.includes(activity)
        }
        let rows = wanted.map { activity in
            [
                Self.text(activity.date), activity.actor, activity.event.rawValue,
                activity.app ?? "", activity.subject, activity.detail ?? "",
            ]
        }
        return (Self.bytes(rows), followed.end == cursor ? nil : .journal(followed.end))
    }

    private func installs(_ cursor: ActivityCursor) throws -> (bytes: [UInt8], next: Place?) {
        guard let followed = try store.followInstalls(from: cursor, count: Self.length) else {
            return ([], nil)
        }
        let wanted = followed.found.filter { attempt in
            attempt.ended >= begin && (app.map { $0 == attempt.app } ?? true)
        }
        let rows = wanted.map { attempt in
            [
                Self.text(attempt.began), Self.text(attempt.ended), attempt.app.rawValue,
                attempt.release.rawValue, attempt.outcome.rawValue, "\(attempt.sent)",
                attempt.device ?? "", attempt.device.flatMap { known[$0]?.name } ?? "",
                attempt.person ?? "",
            ]
        }
        return (Self.bytes(rows), .journal(followed.end))
    }

    private static func row(_ feedback: Feedback) -> [String] {
        [
            text(feedback.date), feedback.release.rawValue, feedback.sender.name ?? "",
            feedback.sender.model ?? "", feedback.sender.os ?? "", feedback.text,
            feedback.device ?? "", feedback.identifier, feedback.sender.person ?? "",
        ]
    }

    private static func row(_ device: DeviceEntry) -> [String] {
        [
            device.name, device.family.rawValue, device.model ?? "", device.modelName ?? "",
            device.os ?? "", device.state.words, text(device.stateSince), text(device.added),
            device.team ?? "", device.reference, device.udid.rawValue,
            (device.furtherTeams ?? []).map(\.team).joined(separator: " "),
        ]
    }

    private static func text(_ date: Date) -> String { date.formatted(.iso8601) }

    private static func bytes(_ rows: [[String]]) -> [UInt8] {
        rows.flatMap { Array(CSVLine.text($0).utf8) }
    }
}

extension LocalAdministration {
    /// Begins an export.
    ///
    /// - Throws: ``AdministrationRefusal/unknownApp(_:known:)``, `StoreFailure`.
    package func export(_ list: ExportedList) throws -> CSVExport {
        try CSVExport(list, admin)
    }
}
