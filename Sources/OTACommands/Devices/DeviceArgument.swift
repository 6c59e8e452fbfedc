import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Bytes
import Foundation
import Identifiers
import Releases

extension DeviceUDID: TypedValue {
    init(typed text: String) throws {
        guard let udid = Self(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw WrongText(wanted: Self.kindOfText)
        }
        self = udid
    }
}

extension ProductFamily: ExpressibleByArgument {}

extension OSVersion: TypedValue {}

extension CommandTarget {
    /// The reference of a device, for actions on it.
    func reference(to udid: DeviceUDID) async throws -> String {
        try await perform(LookUpDevice(LookupRequest(udid: udid))).device.reference
    }

    /// The references of devices, in the same order.
    func references(to udids: [DeviceUDID]) async throws -> [String] {
        var references: [String] = []
        for udid in udids { references.append(try await reference(to: udid)) }
        return references
    }
}

/// A sentence about one device, with its document for JSON.
struct DeviceResult: CommandResult {
    let document: DeviceDocument
    let sentence: String

    func text(style: Style) -> String { sentence.printable }
}

extension DeviceEntry {
    /// Whether the device is in a team's developer account; true if `team` is nil.
    func belongs(to team: TeamIdentifier?) -> Bool {
        guard let team else { return true }
        return self.team == team.rawValue
            || furtherTeams?.contains { $0.team == team.rawValue } ?? false
    }

    /// Whether the device is not yet in a team's developer account; if `team` is nil, in that of any of its
    /// teams.
    func awaitsRegistration(in team: TeamIdentifier?) -> Bool {
        let isNamed = { (other: String?) in team == nil || other == team?.rawValue }
        return isNamed(self.team) && state == .approved
            || furtherTeams?.contains { isNamed($0.team) && $0.state == .approved } ?? false
    }

    /// Its team and its further teams.
    var teamWords: String {
        ([team ?? "–"] + (furtherTeams ?? []).map(\.team)).joined(separator: ", ")
    }

    /// The device's state on this server, and its state at Apple if that differs.
    var stateWords: String {
        let state = state.words
        return switch (self.state, atApple) {
        case (_, nil), (.invited, _), (.enrolled, _): state
        case (.disabled, .enabled): state + ", still enabled at Apple"
        case (.disabled, _), (_, .enabled): state
        case (_, .disabled): state + ", disabled at Apple"
        case (_, .processing): state + ", processing at Apple"
        case (_, .ineligible): state + ", waiting at Apple"
        case (_, .other): state + ", not usable at Apple"
        case (_, .unknown): state + ", unknown to Apple"
        }
    }
}

extension SlotEntry {
    func text(style: Style) -> String {
        let count = "\(used) of \(limit)"
        let paint = used >= limit ? style.bad : used >= limit * 9 / 10 ? style.warning : style.good
        let reset = resets.map { "; disabled devices free their slots on \(Wording.day($0))" } ?? ""
        let owner = team.map { ", team \($0.printable)" } ?? ""
        return "\(family.title)\(owner): \(paint(count)) slots used\(reset)"
    }
}
