package import APIDocuments
import Bundles
import Bytes
import Identifiers
package import Releases
import Store

/// The number of new devices in a list, and of those that were already known.
package struct DeviceImport: Sendable, Equatable {
    package let added: Int
    package let known: Int
    /// The shortened names of new devices whose names were longer than allowed.
    package let shortened: [String]
}

extension Administrator {
    /// Adds the devices of a list, all of them or none.
    ///
    /// - Throws: ``MalformedDeviceFile``, ``DeviceRefusal``, ``StoreFailure``.
    @discardableResult
    package func importDevices(_ listing: DeviceListing) throws -> DeviceImport {
        let rows = try AppleDeviceFile.read(listing.text)
        if let team = listing.team { try check(teamOfDevice: team) }
        let now = clock()
        var added = 0
        var shortened: [String] = []
        try store.changeDevices { register in
            added = 0
            shortened = []
            for row in rows {
                if let known = register[row.udid], known.state != .disabled {
                    if listing.isRegistered {
                        try register.markRegistered(row.udid, as: listing.team, at: now, by: name)
                    }
                    continue
                }
                let (deviceName, isShortened) = Self.name(of: row)
                if isShortened { shortened.append(deviceName) }
                var device = Device(
                    udid: row.udid,
                    name: deviceName,
                    family: row.platform == "mac" ? .mac : listing.family,
                    state: listing.isRegistered ? .registered : .approved,
                    added: now,
                )
                device.team = listing.team?.rawValue
                try register.add(device, at: now, by: name)
                added += 1
            }
        } recording: {
            [activity(.devicesImported, Wording.count(added, "device"), at: now)]
        }
        return DeviceImport(added: added, known: rows.count - added, shortened: shortened)
    }

    /// Shortens and cleans a name: Apple's list allows any text; characters that change the direction of
    /// text are removed.
    private static func name(of row: AppleDeviceFile.Row) -> (text: String, isShortened: Bool) {
        let plain = PrintableText(line: row.name).text
        let text = PrintableText(line: String(plain.prefix(DeviceRegister.nameLimit))).text
        return (text, plain.count > DeviceRegister.nameLimit)
    }

    /// Returns the devices to submit to Apple: those that the developer account does not have yet, or every
    /// device that has a slot or could have one.
    package func exportDevices(all: Bool = false) throws -> [Device] {
        let register = try store.devices()
        return all ? register.active : register.unregistered
    }
}
