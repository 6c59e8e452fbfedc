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
    /// What names a device in the actions on it.
    func reference(to udid: DeviceUDID) async throws -> String {
        try await perform(LookUpDevice(LookupRequest(udid: udid))).device.reference
    }
}

/// A sentence about one device, with the device for machines.
struct DeviceResult: CommandResult {
    let document: DeviceDocument
    let sentence: String

    func text(style: Style) -> String { sentence.printable }
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
