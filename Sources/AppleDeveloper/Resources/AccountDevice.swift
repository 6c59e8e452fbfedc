package import Essentials
package import Identifiers

/// A device in the developer account.
package struct AccountDevice: Sendable, Equatable {
    /// Whether profiles can include it.
    package enum Status: Sendable, Equatable {
        case enabled
        /// Disabled; it uses its slot until the membership year ends.
        case disabled
        /// Apple is still processing it; profiles silently omit it.
        case processing
        /// Apple holds it for 24 to 72 hours, as happens in new accounts.
        case ineligible
        /// An undocumented value.
        case other(String)
    }

    /// The class by which Apple counts slots and restricts profiles.
    package enum DeviceClass: Sendable, Equatable {
        case family(ProductFamily)
        /// An unknown value, or none.
        case other(String)
    }

    package let id: ResourceID
    /// Nil for a UDID of an unknown form; such a device is not changed.
    package let udid: DeviceUDID?
    package let name: String
    package let status: Status
    package let deviceClass: DeviceClass
    /// Apple's name for the model, such as `iPhone 14 Pro`.
    package let model: String?
    package let added: Date?

    package var family: ProductFamily? {
        if case .family(let family) = deviceClass { family } else { nil }
    }
}

extension AccountDevice.Status {
    init(word: String) {
        self =
            switch word {
            case "ENABLED": .enabled
            case "DISABLED": .disabled
            case "PROCESSING": .processing
            case "INELIGIBLE": .ineligible
            default: .other(word)
            }
    }
}

extension AccountDevice.DeviceClass {
    init(word: String) {
        self =
            switch word {
            case "IPHONE": .family(.iphone)
            case "IPAD": .family(.ipad)
            case "IPOD": .family(.ipod)
            case "APPLE_WATCH": .family(.watch)
            case "APPLE_TV": .family(.tv)
            case "APPLE_VISION_PRO": .family(.vision)
            // The second and third are undocumented, but occur.
            case "MAC", "APPLE_SILICON_MAC", "INTEL_MAC": .family(.mac)
            default: .other(word)
            }
    }
}

extension AccountDevice: Decodable {
    private enum AttributeKey: String, CodingKey {
        case name, udid, status, deviceClass, model, addedDate
    }

    package init(from decoder: any Decoder) throws {
        let reader = try ResourceReader<AttributeKey>(decoder, type: "devices")
        id = reader.id
        udid = DeviceUDID(try reader.needed(.udid))
        name = reader.text(.name) ?? ""
        status = Status(word: reader.text(.status) ?? "")
        deviceClass = DeviceClass(word: reader.text(.deviceClass) ?? "")
        model = reader.text(.model)
        added = reader.date(.addedDate)
    }
}
