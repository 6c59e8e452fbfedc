import ArgumentParser
import Bundles
import Foundation
import Releases

extension DeviceUDID: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}

extension ProductFamily: ExpressibleByArgument {}

extension OSVersion: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }
}

/// One device as commands show it.
struct DeviceRow: Encodable {
    let udid, name, family, state: String
    let model: String?
    let os: String?
    let added: Date

    init(_ device: Device) {
        udid = device.udid.rawValue
        name = device.name
        family = device.family.rawValue
        model = device.model
        os = device.os?.description
        state = device.state.rawValue
        added = device.added
    }

    private enum Key: String, CodingKey { case udid, name, family, model, os, state, added }

    /// Writes `null` for what is not known, so that the keys are always there.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(udid, forKey: .udid)
        try container.encode(name, forKey: .name)
        try container.encode(family, forKey: .family)
        try container.encode(model, forKey: .model)
        try container.encode(os, forKey: .os)
        try container.encode(state, forKey: .state)
        try container.encode(added, forKey: .added)
    }
}

/// A sentence about one device, with the device for machines.
struct DeviceResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let device: DeviceRow
    }

    let device: Device
    let sentence: String

    var document: Document { Document(device: DeviceRow(device)) }

    func text(style: Style) -> String { sentence.printable }
}
