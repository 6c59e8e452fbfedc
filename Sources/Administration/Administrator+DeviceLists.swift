package import APIDocuments
import Bundles
import Bytes
import Identifiers
package import Releases
import Store

/// How many devices of a list were new, and how many were there already.
package struct DeviceImport: Sendable, Equatable {
    package let added: Int
    package let known: Int
    /// Names of new devices that were longer than a name may be, as they are now.
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

    /// Apple's list takes any text for a name; what steers the direction of text is left out.
    private static func name(of row: AppleDeviceFile.Row) -> (text: String, isShortened: Bool) {
        let plain = PrintableText(line: row.name).text
        let text = PrintableText(line: String(plain.prefix(DeviceRegister.nameLimit))).text
        return (text, plain.count > DeviceRegister.nameLimit)
    }

    /// What to hand to Apple: the devices that the developer account does not have yet, or every
    /// device that has a slot or could have.
    package func exportDevices(all: Bool = false) throws -> [Device] {
        let register = try store.devices()
        return all ? register.active : register.unregistered
    }
}
